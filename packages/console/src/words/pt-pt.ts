/**
 * What is different in Portugal. The texts address nobody: “você” is blunt in an office there. A text that is missing here
 * is the one of pt.ts.
 */
import { labelsIn } from '../../../import/field-names.ts'
import { countingIn } from './counting.ts'
import { codesIn } from './errors/codes.ts'
import { overlay, type Variant } from './overlay.ts'
import { portuguese } from './pt.ts'
import type { Words } from './words.ts'

const counting = countingIn('pt-PT')
const { number, form, count } = counting
const accesses = (n: number) => count(n, 'acesso', 'acessos')
const atMost = (n: number) => `No máximo, ${number(n)} carateres.`

const european: Variant<Words> = {
  console: 'Consola do Registrar',
  common: {
    save: 'Guardar',
    delete: 'Eliminar',
    nextPage: 'Página seguinte',
    loading: 'A carregar',
    saved: 'Guardado.',
    askAdmin: 'Para alterar algo aqui, é preciso pedir a um operador com a função de administrador.',
  },
  failure: {
    requestId: 'ID do pedido',
    copyRequestId: 'Copiar o ID do pedido',
    outageHint:
      'A consola volta a tentar a cada poucos segundos, e esta mensagem desaparece quando o serviço volta a responder.',
    accessEnded: 'A sessão terminou',
    accessEndedHint:
      'Nada foi alterado desde então. O que está escrito perde-se ao iniciar sessão de novo: convém copiá-lo antes.',
    signInAgain: 'Iniciar sessão de novo',
    viewer: 'A sessão é só de leitura: é possível ver tudo, mas não alterar nada.',
  },
  broken: {
    title: 'Não foi possível mostrar este ecrã',
    text: 'A ligação pode ter falhado, ou a consola foi atualizada entretanto. Nada do que foi guardado se perdeu.',
    reload: 'Carregar de novo',
  },
  forms: { discardTitle: 'Descartar o que foi escrito?', keep: 'Continuar a editar' },
  signIn: {
    title: 'Iniciar sessão',
    tokenHint:
      'Um token que começa por rgo_ ou, para o root, ADMIN_TOKEN. Os separadores abertos partilham-no, e é esquecido quando se fecha o último.',
    noToken:
      'Não tem um token? Peça-o a quem trata do Registrar na escola: ao adicionar um operador, essa pessoa recebe um.',
    submit: 'Iniciar sessão',
    badCharacter: (character: string, position: number) =>
      `Nenhum token tem o caráter ${character}, que aqui é o caráter ${position}. É preciso copiar o token de novo.`,
    rejected: 'O serviço recusa este token. Confirme que foi copiado por inteiro.',
    noOperators:
      'Ninguém pode iniciar sessão, porque ADMIN_TOKEN não está definido neste serviço. É preciso defini-lo primeiro.',
    signedOut: 'A sessão terminou. É preciso iniciar sessão de novo.',
  },
  nav: {
    chooseStore: 'Escolher uma loja',
    findStore: 'Procurar uma loja',
    users: 'Utilizadores',
    settings: 'Definições',
    theme: 'Aspeto',
    light: 'Claro',
    dark: 'Escuro',
    system: 'Igual ao do sistema',
    account: 'Conta, idioma e aspeto',
    signOut: 'Terminar sessão',
  },
  roles: { office: 'secretaria', viewer: 'só leitura' },
  eventTypes: {
    'access_token.rotated': 'Segredo do token substituído',
    'user.created': 'Utilizador criado',
    'user.updated': 'Utilizador alterado',
    'user.erased': 'Utilizador eliminado',
    'product_access.progressed': 'Progresso registado',
    'product_access.expiring': 'Acesso prestes a terminar',
    'product_access.expired': 'Acesso terminado',
    'store.restored': 'Base de dados restaurada',
    'product.deleted': 'Produto eliminado',
    'custom_field.deleted': 'Campo personalizado eliminado',
    'webhook_endpoint.deleted': 'Endpoint de webhook eliminado',
  },
  eventSentences: {
    'user.created': () => 'O utilizador foi criado.',
    'user.updated': () => 'Os dados do utilizador foram alterados.',
    'user.erased': () => 'O utilizador foi eliminado.',
    'product_access.expiring': (product?: string) =>
      product === undefined ? 'Um acesso termina em breve.' : `O acesso a ${product} termina em breve.`,
    'product_access.expired': (product?: string) =>
      product === undefined ? 'Um acesso terminou.' : `O acesso a ${product} terminou.`,
    'product_access.progressed': (product?: string) =>
      product === undefined ? 'Foi registado um progresso.' : `O progresso em ${product} foi registado.`,
    'store.restored': () => 'A base de dados foi restaurada a partir de uma cópia.',
    'product.deleted': () => 'Um produto foi eliminado.',
    'custom_field.deleted': () => 'Um campo personalizado foi eliminado.',
    'webhook_endpoint.deleted': () => 'Um endpoint de webhook foi eliminado.',
  },
  overview: {
    usersCreated: 'Utilizadores criados',
    accessesExpired: 'Acessos terminados',
    users: 'Utilizadores',
    endingSoon: 'Terminam nos próximos 7 dias',
    noActivity: 'Nada aconteceu neste período. Quando se criam ou importam utilizadores, os gráficos mostram-no.',
  },
  lists: {
    searchFurther: 'Continuar a procurar',
    searching: 'A procurar mais',
    nothingSoFar: 'Nenhum resultado até agora. Ao continuar a procurar, percorre-se o resto.',
    users: (n: number) => count(n, 'utilizador', 'utilizadores'),
    productNotCounted: (n: number) => `Só se contam os ${n} produtos com mais acessos, e este não está entre eles.`,
  },
  accessStates: { ended: 'Terminado' },
  bulk: {
    intro:
      'Uma alteração em massa prolonga, encerra ou reabre muitos acessos de uma vez. O serviço trata dela, mesmo que se feche o navegador. Inicia-se nos acessos a produtos.',
    none: 'Ainda não há alterações em massa. É possível filtrar os acessos a produtos e alterar todos os resultados de uma vez.',
    severalProducts:
      'Estão selecionados acessos a vários produtos. É preciso selecionar os de um só produto, porque uma alteração em massa se faz por produto.',
    allOfUser: (name: string) => `Tudo o que ${name} tem pode ser prolongado ou encerrado na página dessa pessoa.`,
    tooMany: (n: number) => `É possível selecionar no máximo ${accesses(n)}. Para mais, há os filtros.`,
    kinds: { extend: 'Prolongar', date: 'Definir a data de fim' },
    daysHint:
      'O tempo soma-se à data de fim ou, se esta já passou, ao momento atual, pelo calendário da loja. Um acesso sem limite fica como está.',
    neverShortenHint: 'Um acesso que termina mais tarde, ou não tem limite, mantém a data.',
    onlyChosen:
      'O serviço não consegue selecionar os acessos sem limite, e por isso não é possível alterá-los todos de uma vez. É preciso selecionar os que devem mudar.',
    effects: {
      earlier: (n: number) => `${count(n, 'acesso termina', 'acessos terminam')} mais cedo`,
      later: (n: number) => `${count(n, 'acesso termina', 'acessos terminam')} mais tarde`,
      sameDay: (n: number) => `${count(n, 'acesso já termina', 'acessos já terminam')} nesse dia`,
    },
    typeLosses: (n: number) =>
      `${number(n)} acessos vão ser encurtados ou encerrados. Para confirmar, escreva este número`,
    daysWrong: (most: number) => `É preciso um número inteiro de 1 a ${number(most)}.`,
    date: 'Nova data de fim',
    counting: 'A contar os acessos',
    runsAlone:
      'Ainda nada mudou. Depois de iniciar, é possível fechar o navegador, cancelar a alteração ou revertê-la mais tarde.',
    typeToConfirm: (n: number, store: string) =>
      `Isto afeta muitos acessos. Para confirmar, escreva quantos são, ${number(n)}, ou o nome da loja, ${store}`,
    start: {
      extend: (n: number) => `Prolongar ${accesses(n)}`,
      date: (n: number) => `Alterar ${count(n, 'data', 'datas')}`,
    },
    sameToday: 'A mesma alteração para o mesmo produto já foi feita hoje. Convém confirmar que não se trata da mesma.',
    states: { queued: 'Em espera', running: 'Em curso' },
    hasEnded: {
      queued: () => 'A alteração em massa está em espera.',
      running: () => 'A alteração em massa está em curso.',
    },
    cancelHint: 'Nenhum outro acesso muda. O que já mudou fica assim, e pode ser revertido depois.',
    revertHint: (n: number) =>
      `${count(n, 'acesso recupera', 'acessos recuperam')} o estado e a data de fim que ${form(n, 'tinha', 'tinham')} antes. Um acesso que alguém tenha alterado desde então fica como está.`,
    state: 'Estado',
    doesExtend: (n: number) => `Prolongar ${count(n, 'dia', 'dias')}`,
    doesExtendMonths: (n: number) => (n === 12 ? 'Prolongar um ano' : `Prolongar ${count(n, 'mês', 'meses')}`),
    doesSetDate: (date: string) => `Definir a data de fim para ${date}`,
    doesRemoveDate: 'Remover a data de fim',
    ofUsers: (n: number) => count(n, 'utilizador selecionado', 'utilizadores selecionados'),
    notInForce: 'Terminados ou encerrados',
    dueFrom: (date: string) => `Terminam a partir de ${date}`,
    dueBefore: (date: string) => `Terminam antes de ${date}`,
  },
  service: {
    title: 'Estado do serviço',
    onlyForAllStores: 'Só os operadores de todas as lojas podem ver o estado do serviço.',
    database: 'Base de dados',
    down: (n: number) => count(n, 'endpoint de webhook em baixo', 'endpoints de webhook em baixo'),
    finding: 'À procura de quais são',
    notAllFound: 'Nem todos foram encontrados: talvez já funcionem.',
    purgeBacklog: (n: number) => `${count(n, 'linha por eliminar', 'linhas por eliminar')}.`,
  },
  stores: {
    none: 'Ainda não há lojas. Cada loja tem os seus próprios utilizadores, produtos e acessos.',
    language: 'Idioma predefinido',
    languageHint: 'O idioma dos utilizadores criados sem idioma.',
    timeZoneHint:
      'É onde começam e terminam os dias da loja: o fim dos acessos, as renovações, as exportações e as importações. Mudá-lo não altera nenhuma data guardada.',
    idHint:
      'Faz parte de todos os caminhos da loja na API e não pode ser alterado depois. Letras minúsculas, algarismos, - e _. Se ficar vazio, é gerado um ID.',
  },
  places: {
    names: { shared: 'Base de dados comum', own: 'Base de dados própria' },
    onlyInEu: 'Apenas na UE',
    onlyInEuHint: 'A base de dados é criada na União Europeia e permanece lá.',
    locationHint: 'Convém escolher aquela de onde vem a maioria das alterações.',
    nearYou: 'Perto daqui',
    locations: { me: 'Médio Oriente' },
  },
  settings: {
    title: 'Definições',
    notice: 'Dias de aviso antes de um acesso terminar',
    noticeHint:
      'O evento “Acesso prestes a terminar” é criado este número de dias antes da data de fim. Com 0 não há aviso; o máximo é 90.',
    suspensionHint:
      'Enquanto a loja está suspensa, todos os seus tokens de acesso são recusados. Os operadores podem continuar a trabalhar nela.',
    suspendHint: (name: string) =>
      `A partir do próximo pedido, todos os tokens de acesso de ${name} são recusados. Não se perdem dados, e a loja pode ser reativada a qualquer momento.`,
    resumeHint: (name: string) => `A partir do próximo pedido, os tokens de acesso de ${name} voltam a funcionar.`,
    resumed: 'A loja já não está suspensa.',
  },
  users: {
    title: 'Utilizadores',
    search: 'Procurar utilizadores',
    searchHint:
      'Partes do nome, do e-mail ou do telefone, por qualquer ordem, o início de um ID externo ou um ID. Enter abre o primeiro resultado, e / traz até aqui.',
    create: 'Criar um utilizador',
    created: 'O utilizador foi criado.',
    import: 'Importar utilizadores',
    openExisting: 'Abrir o utilizador com este e-mail',
    none: 'Ainda não há utilizadores. É possível criar um ou importar uma lista.',
    noneForViewers: 'Ainda não há utilizadores.',
    createFirst: 'Criar o primeiro utilizador',
    notFound: 'Não foi encontrado nenhum utilizador.',
    searched:
      'A pesquisa abrange nomes, e-mails, telefones (quatro algarismos ou mais), inícios de IDs externos e IDs.',
    notFoundSoFar: 'Ainda não foi encontrado nenhum utilizador. Ao continuar a procurar, percorre-se o resto.',
    showAll: 'Mostrar todos os utilizadores',
    selected: 'Utilizadores selecionados',
    selectHint: 'É possível selecionar vários utilizadores. A seleção mantém-se durante a pesquisa.',
    existingStay:
      'Um acesso que já existe não é alterado. Se tiver terminado ou estiver encerrado, pode ser renovado a seguir.',
    granted: (n: number) =>
      n === 0 ? 'Não foi concedido nenhum acesso.' : `${count(n, 'acesso foi concedido', 'acessos foram concedidos')}.`,
    gone: 'Este utilizador já não existe.',
  },
  user: {
    title: 'Utilizador',
    back: 'Todos os utilizadores',
    externalIdHint: 'O ID desta pessoa no sistema próprio.',
    password: 'Palavra-passe',
    newPassword: 'Nova palavra-passe',
    newPasswordHint: 'Se ficar vazia, mantém-se a palavra-passe atual.',
    showPassword: 'Mostrar ou ocultar a palavra-passe',
    notDefined: 'A loja já não tem este campo personalizado. Só é possível remover o valor.',
    willBeRemoved: 'O valor é removido ao guardar.',
    edit: 'Editar o utilizador',
    saveAnyway: 'Guardar mesmo assim',
    conflictHint:
      'O formulário tem agora os valores da outra pessoa, exceto nos campos alterados aqui. É preciso escolher um valor para cada um deles e depois guardar.',
    conflictElsewhere: 'Nenhum campo deste formulário é diferente. É possível guardar mesmo assim.',
    yourValue: 'Valor próprio',
    keepYours: 'Manter o próprio',
    erase: 'Eliminar',
    eraseTitle: 'Eliminar este utilizador',
    eraseWarning:
      'Os dados e os acessos da pessoa são eliminados definitivamente. O histórico guarda o que aconteceu, mas não com quem. Depois, o e-mail pode ser usado para um novo utilizador.',
    typeToErase: (email: string) => `Escreva ${email} para confirmar`,
    eraseForGood: 'Eliminar definitivamente',
    erased: 'O utilizador foi eliminado.',
    isErased: 'Esta pessoa foi eliminada',
    erasedFrom: (id: string, store: string) => `O utilizador ${id} de ${store} foi eliminado em`,
    erasedWhat:
      'O perfil, os campos personalizados e todos os acessos foram eliminados definitivamente. Os eventos que ficam guardados não têm dados pessoais.',
    copiesStay:
      'Os ficheiros que alguém tenha transferido e as importações de que outros navegadores se lembrem podem ainda ter cópias.',
    askToErase: 'Para eliminar alguém, é preciso pedir a um operador com a função de administrador.',
    downloadAll: 'Transferir os dados',
    extendAll: 'Prolongar todos…',
    noAccesses: 'Este utilizador ainda não tem acesso a nenhum produto.',
    chooseProducts: 'Escolher um ou mais produtos',
    allProductsGranted: 'Este utilizador já tem acesso a todos os produtos.',
    productDefault: 'A predefinida do produto',
    untilDate: 'Até uma data à escolha',
    dueDate: 'Data de fim',
    progressUnit: 'Progresso em percentagem',
    changeDueDate: 'Data de fim',
    closeHint: (product: string) =>
      `O utilizador deixa de poder usar ${product}. A data de fim e o progresso mantêm-se, e o acesso pode ser reaberto.`,
    extend: 'Prolongar',
    extendTitle: 'Prolongar o acesso',
    earlierHint: 'Até agora, o acesso termina mais tarde:',
    dueDateTitle: 'Alterar a data de fim',
    pastHint: 'Esta data já passou: o utilizador não tem acesso.',
    progressTitle: 'Registar progresso',
    conflictTitle: 'Entretanto, outra pessoa alterou este utilizador',
  },
  timeline: {
    ofSameRequest: (n: number) => `Mostrar mais ${count(n, 'evento', 'eventos')} deste pedido`,
    title: 'Cronologia',
    none: 'Não há eventos para mostrar: os eventos ficam guardados apenas durante algumas semanas.',
    partial: (shown: number, all: number) =>
      `Só é mostrado o histórico dos primeiros ${number(shown)} de ${number(all)} acessos.`,
  },
  moments: {
    time: 'Hora',
    endOfDay: 'Vazia: até ao fim do dia.',
    notDay: 'Isto não é um dia. Escreve-se como 31/01/2027.',
    unknownZone: (zone: string) =>
      `Este navegador não conhece o fuso horário da loja, ${zone}, e mostraria dias errados. É preciso atualizá-lo.`,
    nextMonth: 'Mês seguinte',
    nextYear: 'Ano seguinte',
    nextYears: 'Anos seguintes',
  },
  fieldNames: {
    ...labelsIn('pt-PT'),
    status: 'Estado',
    access_due_date: 'Data de fim',
    concept_grade: 'Menção',
    expiry_notice_days: 'Dias de aviso antes do fim',
    label: 'Etiqueta',
    scopes: 'Permissões',
    expires_at: 'Validade',
  },
  accesses: {
    download: 'Transferir esta lista',
    none: 'Ainda ninguém tem acesso a um produto. É possível concedê-lo na página de um utilizador ou importar utilizadores com os seus acessos.',
    toUsers: 'Abrir os utilizadores',
    user: 'Utilizador',
    state: 'Estado',
    due: 'Data de fim',
    anyState: 'Qualquer um',
    dueWithin: (days: number) => `Nos próximos ${count(days, 'dia', 'dias')}`,
    duePast: 'Já terminados',
    day: 'Termina antes de',
    selectHint: 'É possível alterar todos os resultados ou só os acessos selecionados.',
  },
  export: {
    users: 'Utilizadores',
    usersHint: 'Com os filtros vazios, obtêm-se todos os utilizadores.',
    downloadUsers: 'Transferir utilizadores',
    search: 'Pesquisa',
    searchHint: 'Partes do nome, do e-mail ou do telefone, por qualquer ordem, ou o início de um ID externo.',
    downloadAccesses: 'Transferir acessos',
    format: 'Ficheiro',
    formats: {
      xlsx: {
        hint: 'Para pessoas: as colunas do ecrã, os telefones e os campos personalizados, por ordem de apelido e com a hora da loja.',
      },
      csv: {
        hint: 'Para programas: todos os campos com o nome que têm na API, tal como estão guardados e com a hora em UTC.',
      },
    },
    stopped: 'Parado. Não foi guardado nenhum ficheiro.',
    running: (size: string) => `A transferir: ${size}`,
    runningLabel: 'A transferir',
    cut: 'A ligação perdeu-se antes do fim do ficheiro, e nada foi guardado. É possível tentar de novo.',
    not_written:
      'Não foi possível escrever o ficheiro, e nada foi guardado. Convém verificar o espaço livre no disco e tentar de novo.',
  },
  products: {
    none: 'Ainda não há produtos. Um produto é algo a que os utilizadores recebem acesso, como um curso.',
    delete: (name: string) => `Eliminar ${name}`,
    deleted: 'O produto foi eliminado.',
    deleteHint: 'Não é possível anular. Se houver utilizadores com acesso ao produto, não é eliminado.',
    slugHint: 'Um nome curto, único na loja. Letras minúsculas, algarismos, - e _.',
    typeHint: 'Uma palavra à escolha, como curso.',
    durationHint: 'Quanto dura um novo acesso se não for indicada uma data de fim. Vazio: sem limite.',
  },
  customFields: {
    none: 'Ainda não há campos personalizados. É possível criar um para cada dado adicional de que esta loja precise.',
    existed: (key: string) => `O campo personalizado ${key} já existia. Tem agora esta etiqueta.`,
    editLabel: (key: string) => `Alterar a etiqueta de ${key}`,
    delete: (key: string) => `Eliminar ${key}`,
    deleted: 'O campo personalizado foi eliminado.',
    deleteHint:
      'Deixa de ser possível dar um valor a este campo. Os valores existentes mantêm-se. O campo pode ser criado de novo.',
    keyHint: 'O nome do campo na API. Não pode ser alterado depois. Letras, algarismos, _, - e pontos.',
    label: 'Etiqueta',
  },
  secrets: {
    copyNow: 'É preciso copiá-lo agora para o lugar onde vai ser usado. Ninguém o pode mostrar de novo.',
    done: 'Já está copiado',
    why: 'Porque é substituído o segredo?',
    hours: 'Horas até o segredo antigo deixar de funcionar',
    hoursHint: (max: number) =>
      `De 0 a ${max}. É o tempo para substituir o segredo antigo em todos os lugares onde é usado.`,
  },
  tokens: {
    intro:
      'Um programa precisa de um token de acesso para chamar a API desta loja. As permissões do token dizem o que pode fazer. Convém criar um token para cada programa.',
    rotate: 'Substituir o segredo do token',
    rotateOne: (name: string) => `Substituir o segredo de ${name}`,
    revokeWarning: (name: string) =>
      `A partir do próximo pedido, “${name}” é recusado em toda a parte. Não é possível anular.`,
    scopes: 'Permissões',
    expires: 'Validade',
    state: 'Estado',
    expired: 'Fora de validade',
    curlCreate: 'Para experimentar: este comando cria um utilizador',
    curlRead: 'Para experimentar: este comando mostra o que o token pode fazer',
    planned: 'É uma substituição planeada',
    plannedHint: 'O segredo antigo e o novo funcionam durante algum tempo, para que nenhum programa pare.',
    leak: 'O segredo pode ter sido exposto',
    leakHint:
      'Todos os segredos anteriores deste token deixam de funcionar de imediato. Os programas que ainda usem um deles são recusados.',
    traces:
      'Se o token pode ter sido exposto, convém rever o que criou. Os endpoints continuam a receber eventos, e as alterações em massa podem ser revertidas:',
    allTraces: 'Tudo o que fez',
    revokeAllHint:
      'Para uma emergência: a partir do próximo pedido, todos os tokens de acesso desta loja são recusados. Os operadores podem continuar a trabalhar.',
    revokeAllWarning: 'Todos os programas que chamam a API desta loja deixam de funcionar até receberem um novo token.',
    typeStore: (store: string) => `Escreva o ID da loja para confirmar: ${store}`,
    scopeWords: {
      'users:read': { name: 'Ler utilizadores', allows: 'Lista, procura e lê utilizadores.' },
      'users:write': {
        name: 'Criar e alterar utilizadores',
        allows: 'Cria utilizadores, um a um ou em lotes, e altera-os.',
      },
      'users:erase': {
        name: 'Eliminar utilizadores',
        allows: 'Elimina definitivamente utilizadores e os seus acessos.',
      },
      'passwords:verify': {
        name: 'Verificar palavras-passe',
        allows: 'Verifica se um e-mail e uma palavra-passe correspondem.',
      },
      'product_accesses:write': { allows: 'Concede, encerra, reabre e prolonga acessos, e regista progresso.' },
      'webhooks:write': { allows: 'Cria, altera, testa e elimina endpoints de webhook.' },
    },
  },
  webhooks: {
    intro:
      'Um endpoint de webhook é um URL de outro programa. Recebe os eventos desta loja assim que acontecem. Uma entrega que falha é repetida durante três dias.',
    none: 'Ainda não há endpoints de webhook. Com um endpoint, outro programa recebe os eventos desta loja assim que acontecem.',
    delete: 'Eliminar o endpoint de webhook',
    deleteWarning: (url: string) => `Nada mais é enviado para ${url}. As entregas pendentes são eliminadas.`,
    deleted: 'O endpoint de webhook foi eliminado.',
    urlHint: 'Deve começar por https:// e ser acessível a partir da internet. Os redirecionamentos não são seguidos.',
    allEventsHint: 'Todos os tipos de evento, incluindo os que forem adicionados depois.',
    chosenEvents: 'Só os eventos escolhidos',
    groups: { user: 'Utilizadores' },
    state: 'Estado',
    isWorking: 'A funcionar',
    nothingSent: 'Ainda nada enviado',
    isDown: 'Em baixo',
    whenBack: 'Quando o recetor responder',
    whenEnabled: 'Depois de ativado',
    problems: {
      failing: {
        why: 'Uma entrega que falha é repetida ao fim de 5 segundos, 30 segundos, 2 minutos, 10 minutos e 1 hora e, depois, a cada 6 horas durante três dias. Após três dias sem sucesso, o endpoint é desativado.',
      },
      down: {
        title: 'O recetor está em baixo',
        why: 'Falharam pelo menos as últimas 20 tentativas. Até uma ter sucesso, só se tenta a entrega pendente mais antiga: ao fim de 5 segundos, 30 segundos, 2 minutos e 10 minutos e, depois, a cada 30 minutos. Então é enviado tudo o que espera. Após três dias sem sucesso, o endpoint é desativado.',
      },
      disabled: {
        why: 'Respondeu com o estado 410, ou nenhuma entrega teve sucesso em três dias. Quando o recetor voltar a funcionar, é preciso ativar o endpoint: recebe então as entregas pendentes e todos os eventos desde esse momento.',
      },
    },
    advice: {
      silent:
        'Convém perguntar a quem desenvolve o recetor se o servidor está acessível a partir da internet e se o certificado é válido.',
      redirect:
        'O recetor redireciona para outro endereço. É preciso pedir a quem o desenvolve o URL final, porque os redirecionamentos não são seguidos.',
      rejected:
        'O recetor recusa o que recebe. Convém perguntar a quem o desenvolve o que diz o registo de atividade sobre estes eventos.',
      refused:
        'O recetor não aceita o pedido. Convém perguntar a quem o desenvolve se tem o segredo atual, e se uma firewall o bloqueia.',
      missing: 'O recetor não tem nada neste URL. Convém perguntar a quem o desenvolve se o endereço mudou.',
      method: 'O recetor não aceita POST neste URL. Convém perguntar a quem o desenvolve se o endereço é o certo.',
      format: 'O recetor espera outro formato. É preciso pedir a quem o desenvolve que aceite application/json.',
      slow: 'O recetor demora demasiado. É preciso pedir a quem o desenvolve que responda primeiro, em menos de 10 segundos, e trabalhe depois.',
      gone: 'O recetor diz que não quer mais eventos. Convém perguntar a quem o desenvolve se é mesmo assim.',
      large: 'O recetor não aceita um pedido deste tamanho. É preciso pedir a quem o desenvolve que aceite mais.',
      busy: 'O recetor aceita menos pedidos do que há. É preciso pedir a quem o desenvolve que aceite mais.',
      broken:
        'O programa do recetor falha. É preciso pedir a quem o desenvolve que procure esta hora no registo de atividade.',
      down: 'O servidor do recetor, ou o que está à sua frente, está em baixo ou em manutenção. Convém perguntar a quem o desenvolve quando volta.',
    },
    testing: 'À espera da resposta, no máximo 10 segundos',
    tested: (status: number, ms: number) => `A resposta foi ${status}, ao fim de ${number(ms)} ms.`,
    testFailures: {
      unreachable: 'O serviço não conseguiu ligar-se a este URL. Convém verificar o URL e o recetor.',
    },
    testSuccessHint: 'Só um estado de 200 a 299 é um sucesso.',
    rotate: 'Substituir o segredo',
    planned: 'É uma substituição planeada',
    plannedHint:
      'Durante algum tempo, cada evento é assinado com os dois segredos, para haver tempo de mudar o recetor.',
    leak: 'O segredo pode ter sido exposto',
    verify:
      'Com este segredo, o recetor verifica se um pedido vem deste serviço e não foi alterado; deve recusar todos os outros. As bibliotecas do Standard Webhooks fazem isto na maioria das linguagens.',
    noDeliveries: 'Ainda não foi enviado nenhum evento a este endpoint. Os novos eventos da loja aparecem aqui.',
    noneInState: 'Não há entregas neste estado.',
    eventGone: 'Este evento já não está guardado.',
  },
  events: {
    live: 'Em direto',
    download: 'Transferir',
    user: 'Utilizador',
    anyUser: 'Qualquer utilizador',
    ofOneAccess: 'Apenas os eventos de um acesso:',
    none: 'Ainda não aconteceu nada nesta loja. Os novos eventos aparecem aqui de imediato.',
    ofUser: (id: string) => `utilizador ${id}`,
  },
  operators: {
    you: (name: string, role: string) => `Sessão iniciada como ${name} (${role}).`,
    isYou: 'Esta sessão',
    rootOnly: 'Só o root, que inicia sessão com ADMIN_TOKEN, pode adicionar, alterar e revogar operadores.',
    none: 'Ainda não há operadores: todos iniciam sessão como root. Convém adicionar um operador para cada pessoa, para que os eventos mostrem quem fez o quê.',
    emailHint: 'Para iniciar sessão com o Cloudflare Access. Sem e-mail, o operador só pode usar o token.',
    roleWords: {
      office:
        'Além disso, adiciona e altera utilizadores e acessos, mas não elimina utilizadores nem altera as definições.',
    },
    state: 'Estado',
    revokeWarning: (name: string) =>
      `A sessão de ${name} termina no próximo pedido, e o token não volta a funcionar. Não é possível anular.`,
    handOver: (name: string) =>
      `Deve ser entregue a ${name} por um meio seguro. Serve para iniciar sessão aqui e para chamar a API.`,
    curl: 'Para experimentar: este comando mostra de quem é o token',
    noHistory: 'Ainda não foi adicionado nem revogado nenhum operador.',
  },
  errors: {
    codes: codesIn('pt-PT'),
    required: 'Este campo é obrigatório.',
    noSuchChoice: (text: string) => `Não há “${text}” na lista. É preciso escolher da lista ou esvaziar o campo.`,
    atMost,
    fields: {
      email: 'É preciso um endereço de e-mail, como ana@example.com.',
      country: 'Escolha um país; num ficheiro, o nome ou as duas letras, como PT.',
      password: 'No máximo, 1024 carateres, e não só espaços.',
      custom_fields: 'Há demasiados campos personalizados, ou são demasiado longos no total.',
      custom_field: 'A loja não tem este campo personalizado, ou o valor passa de 1000 carateres.',
      id: 'De 1 a 64 letras minúsculas sem acento, algarismos, - e _. Começa por uma letra ou um algarismo.',
      slug: 'De 1 a 64 letras minúsculas sem acento, algarismos, - e _. Começa por uma letra ou um algarismo.',
      key: 'De 1 a 64 letras sem acento, algarismos, _, - e pontos.',
      label: atMost(255),
      type: atMost(255),
      product_accesses: 'No máximo, 10 produtos.',
      user_id: 'Escolha um utilizador da loja.',
      user_ids: 'Escolha de 1 a 1000 utilizadores da loja.',
      status: 'Escolha se o acesso está aberto ou encerrado; num ficheiro, “Em vigor” ou “Encerrado”.',
      access_due_date: 'É preciso uma data e hora com o fuso horário, como 2027-12-31T23:59:59Z.',
      due_after: 'É preciso uma data e hora.',
      due_before: 'É preciso uma data e hora.',
      extend_days: 'É preciso um número inteiro de 1 a 3650.',
      started_at: 'É preciso uma data e hora.',
      completed_at: 'É preciso uma data e hora.',
      progress: 'É preciso um número de 0 a 100.',
      grade: atMost(255),
      concept_grade: atMost(255),
      certificate_url: 'É preciso um endereço que comece por https:// ou http://.',
      expiration_days: 'É preciso um número inteiro de 1 a 36 500, ou nada.',
      expiry_notice_days: 'É preciso um número inteiro de 0 a 90.',
      jurisdiction: 'Uma jurisdição exige que a loja tenha a sua própria base de dados.',
      scopes: 'Escolha pelo menos uma permissão.',
      time_zone: 'Escolha um fuso horário da lista, como Europe/Lisbon.',
      extend_months: 'É preciso um número inteiro de 1 a 120.',
      months: 'É preciso um número inteiro de 1 a 120.',
      value: 'É preciso o valor que o campo tem.',
      overlap_hours:
        'É preciso um número inteiro de 0 a 168. No máximo, quatro segredos são válidos ao mesmo tempo: com 0, todos os anteriores deixam de o ser.',
      url: 'É preciso um endereço público que comece por https://, sem utilizador nem palavra-passe.',
      items: 'Um lote tem de 1 a 100 itens, no máximo 10 deles com palavra-passe.',
      q: 'No máximo, 5 palavras e 100 carateres.',
      after: 'Esta página já não existe. Volte à primeira página.',
      ids: 'Escolha de 1 a 100 registos.',
    },
  },
  takeBack: {
    what: 'O que a importação concedeu é encerrado. O que alterou volta ao valor anterior onde ainda está como ela o deixou. Quem criou é eliminado, a menos que algo tenha acontecido depois.',
    checking: 'A verificar o que aconteceria',
    running: 'A desfazer a importação',
    stopHint: 'Se esta janela for fechada, o trabalho para. É possível continuar mais tarde.',
    checked: 'Ainda nada foi alterado. Isto aconteceria:',
    counts: {
      erased: 'Utilizadores eliminados',
      people: 'Utilizadores com os valores de antes',
    },
    noErase:
      'Esta função não pode eliminar utilizadores. Os que a importação criou ficam, e os acessos deles são encerrados. Um operador com a função de administrador pode eliminá-los.',
    typeToConfirm: (n: string) => `Escreva ${n} para confirmar`,
    stays: {
      person_changed: 'Alguém alterou este utilizador depois.',
      no_right: 'Esta função não pode eliminar utilizadores.',
      field_changed: (what: string) => `${what}: já não está como a importação deixou.`,
      access_changed: (what: string) => `Acesso a ${what}: já não está como a importação deixou.`,
      password: 'A palavra-passe: a anterior não pode ser lida.',
      rejected: (what: string) => `${what}: o serviço já não aceita o valor anterior.`,
    },
    old: 'Este registo é de uma versão anterior da consola e não tem o que é preciso.',
    copies:
      'Os ficheiros que alguém tenha transferido e as importações de que outros navegadores se lembrem podem ainda ter cópias.',
  },
  import: {
    viewer:
      'É possível ver tudo, mas não importar utilizadores. Peça a um operador com a função de secretaria ou administrador.',
    drop: 'Largar aqui um ficheiro com utilizadores',
    dropHint:
      'CSV ou Excel (.xlsx) com uma linha de títulos, ou NDJSON. O navegador lê o ficheiro e envia as linhas ao serviço.',
    chooseFile: 'Escolher um ficheiro',
    otherFile: 'Escolher outro ficheiro',
    wrongType: 'Este não é um ficheiro CSV, Excel (.xlsx) ou NDJSON. Escolha outro ficheiro.',
    reading: 'A ler o ficheiro',
    unreadable: 'Este ficheiro não pode ser importado',
    recordsHint:
      'Este navegador guarda o que foi importado, com nomes e dados de pessoas, durante 30 dias. Pode ser eliminado aqui quando já não for preciso.',
    unfinishedHint: 'Não está terminada. Para continuar, é preciso escolher outra vez o mesmo ficheiro.',
    forget: (file: string) => `Eliminar o registo da importação de ${file}`,
    forgetHint:
      'Os utilizadores e os acessos ficam como estão. Depois, este navegador já não pode desfazer a importação.',
    forgotten: 'O registo foi eliminado.',
    readAgain: 'Ler o ficheiro de novo',
    nothingKept: 'Nenhuma linha falhou, e nenhum utilizador foi criado ou alterado.',
    createdTitle: 'Utilizadores criados',
    moreCreated: (n: number) => `E mais ${count(n, 'utilizador', 'utilizadores')}.`,
    wouldChangeTitle: 'Utilizadores que mudariam',
    changedTitle: 'Utilizadores alterados',
    moreChanges: (n: number) => `O ficheiro para transferir tem mais ${count(n, 'utilizador', 'utilizadores')}.`,
    changesHint:
      'Primeiro, os nomes novos: outro nome pode ser de outra pessoa. Depois, os acessos que terminam antes ou são encerrados.',
    importedBefore: 'Este ficheiro já foi importado antes',
    recognized: 'Como o ficheiro é lido',
    recognizedHint:
      'Convém verificar os primeiros valores abaixo. Se parecerem errados, é possível escolher aqui outra coisa.',
    sheet: 'Folha',
    isDate: (text: string, day: string) =>
      `${text} é o dia ${day}? Se não for, escolha acima a outra ordem. Vale para toda a coluna.`,
    ignoredStatus: (column: string, values: string[]) =>
      `“${column}” (${values.join(', ')}) não é lido: cada linha dá acesso. Se alguma não deve dar, é preciso apagá-la no ficheiro.`,
    broken: (text: string) =>
      `Há letras que parecem corrompidas, como em “${text}”. É provável que o programa que escreveu o ficheiro tenha confundido as codificações, e elas seriam guardadas assim.`,
    checkAccents:
      'O ficheiro não diz em que codificação está. Os acentos estão certos nos valores abaixo, como em José ou João?',
    rowProblems: {
      unknown_access: 'A loja não tem esse acesso deste utilizador a este produto.',
      whole_name:
        'O nome completo não pode ser dividido. É preciso escrever nome e apelido com um espaço entre eles, ou “Silva Santos, João” com uma vírgula.',
      surname_first:
        'O nome completo não pode ser dividido. É preciso pôr uma vírgula depois dos apelidos, como em “Silva Santos, João”.',
      width: 'A linha tem mais ou menos valores do que a dos títulos.',
      too_long: 'A linha é demasiado longa para um pedido.',
      unclear_date: 'Não está claro que número é o dia e qual é o mês. Escolha acima.',
      no_value: 'Isto não é um valor: um programa ou uma folha de cálculo escreve-o onde falta um valor.',
      rounded:
        'Uma folha de cálculo arredondou o número. É preciso formatar a coluna como texto e escrever o número de novo.',
      invisible: 'Há um espaço ou um caráter invisível dentro do e-mail.',
    },
    fileProblems: {
      no_headings: 'O ficheiro não tem essa linha.',
      empty: 'O ficheiro está vazio.',
      json_array: 'O ficheiro é uma só lista JSON. É preciso escrever um objeto em cada linha.',
      utf16: 'O ficheiro não é UTF-8, mas sim UTF-16.',
      not_utf8: (character: number) => `O caráter ${character} não é UTF-8. Escolha outra codificação.`,
      not_encoding: (encoding: string, character: number) =>
        `O ficheiro não é ${encoding}: o caráter ${character} não existe ali. Escolha outra codificação.`,
      unknown_column: (name: string) =>
        `A coluna “${name}” não pode ser importada. É preciso dar-lhe outro nome no ficheiro.`,
      unknown_field: (name: string) =>
        `O campo “${name}” aparece aqui pela primeira vez, e por isso nada foi escolhido para ele. É preciso escrevê-lo também na primeira linha do ficheiro.`,
      quote_in_value:
        'Há uma aspa dentro de um valor. O valor inteiro deve ficar entre aspas, e cada aspa dentro dele escreve-se duas vezes.',
      text_after_quote: 'Há texto depois de uma aspa de fecho. Cada aspa dentro de um valor escreve-se duas vezes.',
      row_too_long: 'A linha é demasiado longa. Talvez uma aspa nunca seja fechada.',
      line_too_long: 'A linha é demasiado longa.',
      workbook: (cell?: string) =>
        `O livro não pode ser lido${cell === undefined ? '' : `: o problema está na célula ${cell}`}. É preciso abri-lo, guardá-lo de novo como livro do Excel (.xlsx) e escolher esse ficheiro.`,
      json_lines: 'O JSON está escrito em várias linhas. É preciso escrever cada objeto numa só linha.',
      html: 'Isto é uma página web, embora o nome diga outra coisa. É preciso abri-la numa folha de cálculo e guardá-la como livro (.xlsx).',
      password: 'O livro está protegido com uma palavra-passe. É preciso guardá-lo sem ela.',
      old_workbook:
        'Este livro está no formato antigo (.xls). É preciso abri-lo e guardá-lo como livro do Excel (.xlsx).',
      other_format: (format: string) =>
        `O formato do ficheiro é ${format}. É preciso abri-lo no programa que o escreveu e guardá-lo como livro do Excel (.xlsx).`,
      database_text:
        'O valor está escrito como numa base de dados, sem aspas e com barras invertidas. É preciso exportá-lo como CSV.',
      too_large: (megabytes: number) =>
        `Descomprimido, o livro ocuparia ${megabytes} MB. Um ficheiro de outra pessoa pode ter sido feito para encher a memória. Se tem realmente tantas linhas, pode ler-se mesmo assim.`,
      all_hidden: 'Todas as linhas da folha estão ocultas. É preciso mostrá-las na folha e guardá-la de novo.',
      unknown_sheet: 'O livro não tem essa folha.',
    },
    effects: {
      dry: {
        earlier: (n: number) => form(n, 'terminaria antes', 'terminariam antes'),
        later: (n: number) => form(n, 'terminaria depois', 'terminariam depois'),
      },
      real: {
        earlier: (n: number) => form(n, 'termina antes', 'terminam antes'),
        later: (n: number) => form(n, 'termina depois', 'terminam depois'),
      },
    },
    neverShortenHint: 'Um acesso que termina depois do que o ficheiro diz, ou nunca, mantém a data.',
    skipHint:
      'Das linhas com o mesmo e-mail só a primeira é importada, e os produtos das outras perdem-se. É preciso pôr todos os produtos de uma pessoa numa linha, ou atualizar quem já existe.',
    notCorrected: 'O ficheiro não pode ser lido assim, e continua a ser lido como antes',
    columnsHint: 'Escolha o campo para cada coluna do ficheiro. As colunas ignoradas não são enviadas.',
    ignoredDays: (columns: string[]) =>
      `Os dias de ${columns.map((name) => `“${name}”`).join(', ')} não são lidos: cada acesso dura o que o produto diz. Se forem datas de fim, escolha esse campo acima.`,
    ofUser: 'Utilizador',
    fields: {
      user_id: 'ID do utilizador',
      second_last_name: 'Segundo apelido',
      product_status: 'Estado do acesso',
      product_due_date: 'Data de fim',
    },
    sameHeading: (headings: string) =>
      `Várias colunas do ficheiro têm o mesmo título: ${headings}. É preciso ignorá-las, ou mudar-lhes o nome no ficheiro, exceto a uma.`,
    missingProduct:
      'Uma coluna com estado ou data de fim precisa de outra coluna com o produto. Escolha uma coluna para ele.',
    existing: 'Utilizadores que já existem',
    existingHint: 'São reconhecidos pelo e-mail, sem distinguir maiúsculas de minúsculas.',
    preview: 'Pré-visualização',
    splitsHint:
      'Depois de uma vírgula vem o nome; sem vírgula, o nome termina no primeiro espaço. Outra divisão pode ser escolhida aqui em cada linha, ou escrita com vírgula no ficheiro, como “Silva Santos, João”.',
    previewHint: 'As primeiras linhas do ficheiro, tal como serão enviadas.',
    pausedHint:
      'É possível fechar este separador. Para continuar depois, é preciso escolher o mesmo ficheiro. Nenhum utilizador é importado duas vezes.',
    stoppedHint:
      'As linhas concluídas ficam, e é possível continuar a partir daqui. Nenhum utilizador é importado duas vezes.',
    runningHint: 'Entretanto, é possível usar outros ecrãs. Se este separador for fechado, a importação fica em pausa.',
    states: {
      dry: { checking: 'A ler o ficheiro inteiro', running: 'A verificar' },
      real: { checking: 'A ler o ficheiro inteiro', running: 'A importar' },
    },
    waiting: (reason: string, seconds: number) => `Em espera: ${reason}. Próxima tentativa dentro de ${seconds} s.`,
    waits: {
      busy: 'o serviço recebe demasiados pedidos',
      timeout: 'o serviço demora demasiado a responder',
    },
    problems: {
      shared_emails:
        'Há linhas com o mesmo e-mail e outros nomes, e cada uma mudaria o nome da pessoa de uma linha anterior. É preciso dar a cada pessoa um e-mail no ficheiro, ou confirmar acima que são uma só. Nada foi enviado.',
      other_tab: 'Este ficheiro está a ser importado noutro separador. Continue lá ou faça lá uma pausa primeiro.',
      changed_elsewhere: 'A importação deste ficheiro mudou noutro separador. “Continuar” prossegue a partir daí.',
      signed_out: 'A sessão terminou. Para continuar, é preciso iniciar sessão e escolher o mesmo ficheiro.',
      changed: 'O navegador já não consegue ler o ficheiro: foi alterado, movido ou eliminado. Escolha-o de novo.',
      unexpected:
        'Falhou algo de que esta consola não estava à espera. Carregue a página de novo e escolha o mesmo ficheiro.',
      token: 'Com esta sessão não é possível importar utilizadores para esta loja.',
    },
    more: (n: number) => `O ficheiro para transferir tem mais ${count(n, 'linha', 'linhas')}.`,
    downloads: { xlsx: 'Ficheiro do Excel (.xlsx)', csv: 'Ficheiro CSV', ndjson: 'Ficheiro NDJSON' },
    downloadHint:
      'É possível transferir estas linhas, corrigi-las e importar esse ficheiro. Diz o que falhou em cada linha e marca as células.',
  },
}

export const ptPT = overlay<Words>(portuguese(counting), european)
