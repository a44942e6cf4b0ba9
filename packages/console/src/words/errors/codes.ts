/**
 * What the console says about each code of the API (src/error-codes.ts), and about its own: one entry each, with its text in
 * every language.
 */
import { namesOf, ofEach } from '../../../../../src/lib/names.ts'
import type { ErrorCode } from '../../../../../src/error-codes.ts'
import type { Language } from '../languages.ts'

/** Codes of the console itself: no response, a sign-in that has ended, and responses that are not the API's. */
type ConsoleCode =
  | 'no_response'
  | 'access_ended'
  | 'unreadable'
  | 'edge_challenge'
  | 'edge_blocked'
  | 'edge_rate_limited'
  | 'edge_quota'

type Code = ErrorCode | ConsoleCode

/** Portugal has a text of its own only where it differs from that of Brazil. */
type Texts = Readonly<Record<Exclude<Language, 'pt-PT'>, string>> & { readonly 'pt-PT'?: string }

const CODES: Readonly<Record<Code, Texts>> = {
  missing_parameter: {
    en: 'A required field is empty.',
    es: 'Hay un campo obligatorio vacío.',
    'pt-BR': 'Um campo obrigatório está vazio.',
  },
  malformed_body: {
    en: 'The service could not read the request.',
    es: 'El servicio no pudo leer la solicitud.',
    'pt-BR': 'O serviço não conseguiu ler a requisição.',
    'pt-PT': 'O serviço não conseguiu ler o pedido.',
  },
  invalid_header: {
    en: 'The service could not read the request.',
    es: 'El servicio no pudo leer la solicitud.',
    'pt-BR': 'O serviço não conseguiu ler a requisição.',
    'pt-PT': 'O serviço não conseguiu ler o pedido.',
  },
  missing_token: {
    en: 'You are not signed in.',
    es: 'No hay ninguna sesión iniciada.',
    'pt-BR': 'Você não entrou no console.',
    'pt-PT': 'Não há nenhuma sessão iniciada.',
  },
  invalid_token: {
    en: 'The service no longer accepts your sign-in.',
    es: 'El servicio ya no acepta esta sesión.',
    'pt-BR': 'O serviço não aceita mais a sua sessão.',
    'pt-PT': 'O serviço já não aceita esta sessão.',
  },
  https_required: {
    en: 'The service can only be reached over https.',
    es: 'Solo se puede acceder al servicio por https.',
    'pt-BR': 'O serviço só pode ser acessado por https.',
    'pt-PT': 'O serviço só está acessível por https.',
  },
  store_suspended: {
    en: 'The store is suspended.',
    es: 'La tienda está suspendida.',
    'pt-BR': 'A loja está suspensa.',
  },
  insufficient_scope: {
    en: 'Your role or your stores do not allow this.',
    es: 'El rol o las tiendas de este operador no lo permiten.',
    'pt-BR': 'A função ou as lojas deste operador não permitem isto.',
  },
  cross_site: {
    en: 'The browser sent this change from another site, so the service rejected it.',
    es: 'El navegador envió este cambio desde otro sitio, y el servicio lo rechazó.',
    'pt-BR': 'O navegador enviou esta alteração a partir de outro site, e o serviço a recusou.',
    'pt-PT': 'O navegador enviou esta alteração a partir de outro site, e o serviço recusou-a.',
  },
  not_found: {
    en: 'It no longer exists, or you have no access to it.',
    es: 'Ya no existe, o este operador no tiene acceso.',
    'pt-BR': 'Isto não existe mais, ou você não tem acesso.',
    'pt-PT': 'Isto já não existe, ou este operador não tem acesso.',
  },
  route_not_found: {
    en: 'This address does not exist in the service.',
    es: 'Esta dirección no existe en el servicio.',
    'pt-BR': 'Este endereço não existe no serviço.',
  },
  method_not_allowed: {
    en: 'The service does not offer this here.',
    es: 'El servicio no ofrece esta operación aquí.',
    'pt-BR': 'O serviço não oferece esta operação aqui.',
  },
  cursor_expired: {
    en: 'These events are no longer kept.',
    es: 'Estos eventos ya no se conservan.',
    'pt-BR': 'Estes eventos não são mais guardados.',
    'pt-PT': 'Estes eventos já não estão guardados.',
  },
  etag_mismatch: {
    en: 'Someone else has changed this in the meantime. Check the current values, then try again.',
    es: 'Otra persona lo ha cambiado mientras tanto. Revisar los valores actuales y reintentar.',
    'pt-BR': 'Outra pessoa alterou isto nesse meio-tempo. Confira os valores atuais e tente de novo.',
    'pt-PT': 'Entretanto, outra pessoa alterou isto. Convém verificar os valores atuais e tentar de novo.',
  },
  payload_too_large: {
    en: 'This is too much for one request.',
    es: 'Es demasiado para una sola solicitud.',
    'pt-BR': 'Isto é demais para uma só requisição.',
    'pt-PT': 'Isto é demasiado para um só pedido.',
  },
  unsupported_media_type: {
    en: 'The service could not read the request.',
    es: 'El servicio no pudo leer la solicitud.',
    'pt-BR': 'O serviço não conseguiu ler a requisição.',
    'pt-PT': 'O serviço não conseguiu ler o pedido.',
  },
  invalid_parameter: {
    en: 'A value is not valid.',
    es: 'Hay un valor que no es válido.',
    'pt-BR': 'Um valor não é válido.',
  },
  email_taken: {
    en: 'There is already a user with this email in the store.',
    es: 'Ya hay un usuario con este correo electrónico en la tienda.',
    'pt-BR': 'Já existe um usuário com este e-mail na loja.',
    'pt-PT': 'Já existe um utilizador com este e-mail na loja.',
  },
  idempotency_key_reused: {
    en: 'This form has already been sent with other values. Close it and open it again.',
    es: 'Este formulario ya se envió con otros valores. Hay que cerrarlo y abrirlo de nuevo.',
    'pt-BR': 'Este formulário já foi enviado com outros valores. Feche-o e abra-o de novo.',
    'pt-PT': 'Este formulário já foi enviado com outros valores. É preciso fechá-lo e abri-lo de novo.',
  },
  access_exists: {
    en: 'The user already has access to this product.',
    es: 'El usuario ya tiene acceso a este producto.',
    'pt-BR': 'O usuário já tem acesso a este produto.',
    'pt-PT': 'O utilizador já tem acesso a este produto.',
  },
  already_exists: {
    en: 'This is already taken.',
    es: 'Ya está en uso.',
    'pt-BR': 'Já está em uso.',
    'pt-PT': 'Já está a ser usado.',
  },
  in_use: {
    en: 'It cannot be deleted: users have access to it.',
    es: 'No se puede eliminar: hay usuarios que tienen acceso.',
    'pt-BR': 'Não é possível excluir: há usuários com acesso.',
    'pt-PT': 'Não é possível eliminar: há utilizadores com acesso.',
  },
  limit_reached: {
    en: 'There are already as many as there may be: 16 webhooks of a store, and 20 bulk changes that have not ended. Delete or cancel one first.',
    es: 'Ya se ha alcanzado el máximo: 16 webhooks por tienda y 20 cambios masivos sin terminar. Primero hay que eliminar o cancelar algo.',
    'pt-BR':
      'O máximo já foi atingido: 16 webhooks por loja, e 20 alterações em massa que ainda não terminaram. Exclua ou cancele algo primeiro.',
    'pt-PT':
      'Já se atingiu o máximo: 16 webhooks por loja e 20 alterações em massa por terminar. É preciso eliminar ou cancelar algo primeiro.',
  },
  not_running: {
    en: 'The bulk change has already ended.',
    es: 'El cambio masivo ya ha terminado.',
    'pt-BR': 'A alteração em massa já terminou.',
  },
  not_done: {
    en: 'The bulk change cannot be reverted: it has not ended, was reverted already, or is too long ago.',
    es: 'El cambio masivo no se puede revertir: aún no ha terminado, ya se revirtió, o hace demasiado tiempo.',
    'pt-BR':
      'A alteração em massa não pode ser revertida: ainda não terminou, já foi revertida, ou já faz tempo demais.',
    'pt-PT':
      'A alteração em massa não pode ser revertida: ainda não terminou, já foi revertida, ou foi há demasiado tempo.',
  },
  rate_limited: {
    en: 'There are too many requests at the moment.',
    es: 'En este momento hay demasiadas solicitudes.',
    'pt-BR': 'Há requisições demais neste momento.',
    'pt-PT': 'Há demasiados pedidos neste momento.',
  },
  internal_error: {
    en: 'The service failed. Nothing is wrong with what you entered. If it happens again, report the request ID.',
    es: 'El servicio ha fallado. Los datos introducidos no son la causa. Si se repite, conviene comunicar el ID de la solicitud.',
    'pt-BR': 'O serviço falhou. O que você preencheu não é a causa. Se acontecer de novo, informe o ID da requisição.',
    'pt-PT': 'O serviço falhou. Os dados introduzidos não são a causa. Se voltar a acontecer, indique o ID do pedido.',
  },
  service_unavailable: {
    en: 'The service is not available at the moment.',
    es: 'El servicio no está disponible en este momento.',
    'pt-BR': 'O serviço não está disponível neste momento.',
  },
  no_response: {
    en: 'There was no response: the service may be down, or the connection was lost. If you were saving a change, check whether it was saved before you try again.',
    es: 'No hubo respuesta: puede que el servicio no funcione o que se haya perdido la conexión. Si se estaba guardando un cambio, conviene comprobar si se guardó antes de reintentar.',
    'pt-BR':
      'Não houve resposta: o serviço pode estar fora do ar ou a conexão pode ter caído. Se você estava salvando uma alteração, confira se ela foi salva antes de tentar de novo.',
    'pt-PT':
      'Não houve resposta: o serviço pode estar em baixo, ou a ligação pode ter-se perdido. Se estava a guardar uma alteração, convém verificar se foi guardada antes de tentar de novo.',
  },
  access_ended: {
    en: 'Your sign-in has ended. Nothing was saved: sign in again.',
    es: 'La sesión ha terminado y no se ha guardado nada. Hay que iniciar sesión de nuevo.',
    'pt-BR': 'Sua sessão terminou e nada foi salvo. Entre de novo.',
    'pt-PT': 'A sessão terminou e nada foi guardado. É preciso iniciar sessão de novo.',
  },
  edge_challenge: {
    en: 'Cloudflare wants to check that a person sends this, so the request has not reached the service. Load the page again. If that does not help, whoever runs the service must exempt its paths from the check.',
    es: 'Cloudflare quiere comprobar que lo envía una persona, y por eso la solicitud no ha llegado al servicio. Conviene volver a cargar la página. Si no ayuda, quien lleva el servicio debe eximir sus rutas de esa comprobación.',
    'pt-BR':
      'A Cloudflare quer verificar se é uma pessoa que envia isto, e por isso a requisição não chegou ao serviço. Carregue a página de novo. Se não adiantar, quem cuida do serviço precisa isentar os caminhos dele dessa verificação.',
    'pt-PT':
      'A Cloudflare quer verificar se é uma pessoa que envia isto, e por isso o pedido não chegou ao serviço. Convém carregar a página de novo. Se não resultar, quem trata do serviço tem de isentar os seus caminhos dessa verificação.',
  },
  edge_blocked: {
    en: 'Cloudflare has rejected the request before it reached the service: a rule of the firewall blocks it. Report the CF-Ray to whoever runs the service.',
    es: 'Cloudflare ha rechazado la solicitud antes de que llegara al servicio: la bloquea una regla del cortafuegos. Conviene comunicar el CF-Ray a quien lleva el servicio.',
    'pt-BR':
      'A Cloudflare recusou a requisição antes de ela chegar ao serviço: uma regra do firewall a bloqueia. Informe o CF-Ray a quem cuida do serviço.',
    'pt-PT':
      'A Cloudflare recusou o pedido antes de chegar ao serviço: uma regra da firewall bloqueia-o. Indique o CF-Ray a quem trata do serviço.',
  },
  edge_rate_limited: {
    en: 'Cloudflare has rejected the request before it reached the service: there are too many at the moment.',
    es: 'Cloudflare ha rechazado la solicitud antes de que llegara al servicio: en este momento hay demasiadas.',
    'pt-BR': 'A Cloudflare recusou a requisição antes de ela chegar ao serviço: há requisições demais neste momento.',
    'pt-PT': 'A Cloudflare recusou o pedido antes de chegar ao serviço: há demasiados neste momento.',
  },
  edge_quota: {
    en: 'Cloudflare has rejected the request: the requests of the service’s plan are used up for today. They begin again at midnight UTC.',
    es: 'Cloudflare ha rechazado la solicitud: por hoy se han agotado las del plan del servicio. Vuelve a haberlas a medianoche UTC.',
    'pt-BR':
      'A Cloudflare recusou a requisição: as do plano do serviço acabaram por hoje. Elas recomeçam à meia-noite UTC.',
    'pt-PT': 'A Cloudflare recusou o pedido: os do plano do serviço esgotaram-se por hoje. Recomeçam à meia-noite UTC.',
  },
  unreadable: {
    en: 'The response could not be read. A program between your browser and the service may have changed it.',
    es: 'No se pudo leer la respuesta. Puede que la haya alterado un programa situado entre el navegador y el servicio.',
    'pt-BR': 'Não foi possível ler a resposta. Um programa entre o seu navegador e o serviço pode tê-la alterado.',
    'pt-PT': 'Não foi possível ler a resposta. Um programa entre o navegador e o serviço pode tê-la alterado.',
  },
}

/** The text of each code in a language. */
export function codesIn(language: Language): Record<Code, string> {
  return ofEach(namesOf(CODES), (code) => CODES[code][language] ?? CODES[code]['pt-BR'])
}
