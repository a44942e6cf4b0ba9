/** What the import says, in Spanish. */
import { countingIn } from '../counting.ts'
import type { Words } from '../words.ts'

const { number, form, count } = countingIn('es')

export const importing: Words['import'] = {
  title: 'Importar',
  viewer:
    'Se puede ver todo, pero no importar usuarios. Hay que pedirlo a un operador con el rol de secretaría o administrador.',
  drop: 'Soltar aquí un archivo con usuarios',
  dropHint:
    'CSV o Excel (.xlsx) con una fila de encabezados, o NDJSON. El navegador lee el archivo y envía sus filas al servicio.',
  chooseFile: 'Elegir un archivo',
  otherFile: 'Elegir otro archivo',
  wrongType: 'No es un archivo CSV, Excel (.xlsx) ni NDJSON. Elegir otro archivo.',
  reading: 'Leyendo el archivo',
  unreadable: 'Este archivo no se puede importar',
  doneOf: (next: string, rows: string) => `${next} de ${rows} filas`,
  records: 'Importaciones de este navegador',
  recordsHint:
    'Este navegador guarda lo que se ha importado, con nombres y datos de personas, durante 30 días. Aquí se puede eliminar cuando ya no haga falta.',
  unfinishedHint: 'No está terminada. Para continuar, hay que elegir otra vez el mismo archivo.',
  forget: (file: string) => `Eliminar el registro de la importación de ${file}`,
  forgetHint:
    'Los usuarios y los accesos quedan como están. Después, este navegador ya no puede deshacer la importación.',
  forgotten: 'Se eliminó el registro.',
  details: 'Detalles',
  hide: 'Ocultar',
  detailsOf: (file: string) => `Detalles de la importación de ${file}`,
  nothingKept: 'Ninguna fila ha fallado, y no se ha creado ni cambiado ningún usuario.',
  createdTitle: 'Usuarios creados',
  moreCreated: (n: number) => `Y ${count(n, 'usuario más', 'usuarios más')}.`,
  wouldChangeTitle: 'Usuarios que cambiarían',
  changedTitle: 'Usuarios cambiados',
  changesHint:
    'Primero, los nombres nuevos: otro nombre puede ser de otra persona. Después, los accesos que vencen antes o se cierran.',
  downloadBefore: 'Como estaban (.xlsx)',
  beforeSheet: 'Antes',
  changesHead: 'Cambios',
  moreChanges: (n: number) => `El archivo que se puede descargar tiene ${count(n, 'usuario más', 'usuarios más')}.`,
  nothing: 'nada',
  wouldChange: 'Cambiarían',
  changed: 'Cambiados',
  sameCount: 'Ya existían, sin cambios',
  importedBefore: 'Este archivo ya se ha importado antes',
  allProcessed: (created: string, existing: string, failed: string) =>
    `Se procesaron todas las filas. Creados: ${created}; ya existían: ${existing}; fallidos: ${failed}.`,
  partProcessed: (next: string, rows: string) => `Filas procesadas: ${next} de ${rows}.`,
  resume: 'Continuar',
  startOver: 'Empezar de nuevo',
  readAgain: 'Leer el archivo otra vez',
  recognized: 'Cómo se lee el archivo',
  recognizedHint:
    'Conviene comprobar los primeros valores de abajo. Si no son correctos, aquí se puede elegir otra cosa.',
  hiddenRows: (n: number) => `${n === 1 ? 'Se omite' : 'Se omiten'} ${count(n, 'fila oculta', 'filas ocultas')}.`,
  readHidden: 'Leer también las filas ocultas',
  readLarge: 'Leerlo de todos modos',
  stopReading: 'Detener',
  sheet: 'Hoja',
  headings: 'Fila de los encabezados',
  encoding: 'Codificación',
  encodings: {
    'utf-8': 'UTF-8',
    'windows-1252': 'Windows-1252 (CSV de Excel)',
    macintosh: 'Macintosh (CSV de un Mac)',
    'windows-1250': 'Windows-1250 (Europa Central)',
    'windows-1251': 'Windows-1251 (cirílico)',
    shift_jis: 'Shift JIS (japonés)',
    'utf-16le': 'UTF-16 (texto Unicode)',
    'utf-16be': 'UTF-16, orden inverso',
  },
  delimiter: 'Separador',
  delimiters: { comma: 'Coma', semicolon: 'Punto y coma', tab: 'Tabulador', bar: 'Barra vertical' },
  dates: 'Fechas como 03/04/2027',
  dateOrders: { dmy: 'Día, mes, año', mdy: 'Mes, día, año' },
  isDate: (text: string, day: string) =>
    `¿Es ${text} el ${day}? Si no, hay que elegir arriba el otro orden. Vale para toda la columna.`,
  broken: (text: string) =>
    `Hay letras que parecen estropeadas, como en «${text}». Es probable que el programa que escribió el archivo confundiera las codificaciones, y se guardarían así.`,
  checkAccents:
    'El archivo no indica su codificación. ¿Son correctos los acentos en los valores de abajo, como en José o Muñoz?',
  repeatedIn: (row: number) => `Repetido en la fila ${number(row)}.`,
  rowProblems: {
    whole_name:
      'El nombre completo no se puede dividir. Hay que escribir nombre y apellidos con un espacio entre ellos, o «García López, José» con una coma.',
    surname_first:
      'El nombre completo no se puede dividir. Hay que poner una coma detrás de los apellidos, como en «García López, José».',
    width: 'La fila tiene más o menos valores que la de los encabezados.',
    not_json: 'La línea no es JSON.',
    not_object: 'La línea no es un objeto JSON.',
    no_product: 'Hay un valor, pero la fila no tiene ningún producto.',
    values: 'Debe haber un solo valor, o tantos como productos.',
    too_long: 'La fila es demasiado larga para una solicitud.',
    cell_error: 'La celda contiene un error, o una fórmula sin resultado.',
    no_value: 'Esto no es un valor: un programa o una hoja de cálculo lo escribe donde falta un valor.',
    rounded:
      'Una hoja de cálculo redondeó el número. Hay que dar formato de texto a la columna y escribir el número otra vez.',
    invisible: 'Hay un espacio o un carácter invisible dentro del correo electrónico.',
    unclear_date: 'No está claro qué número es el día y cuál el mes. Hay que elegirlo arriba.',
    short_year: 'El año necesita cuatro cifras, como en 30/06/2027.',
    none_date:
      'Los programas lo escriben donde falta un valor. Hay que dejar la celda vacía, para que decida el producto, o escribir «sin límite».',
    zone_date:
      'No está claro qué zona horaria figura detrás de la hora. Se escribe la hora sin ella, en la zona horaria de la tienda, o con su desfase, como 2027-06-30T18:00+01:00.',
    not_date:
      'Esto no es un día. Se escribe un día, como 30/06/2027, o «sin límite». Con la celda vacía, decide el producto.',
    unknown_access: 'La tienda no tiene ese acceso de este usuario a este producto.',
    unknown_product:
      'La tienda no tiene ningún producto con este nombre o slug. Entre varios se escribe una barra ( | ).',
    ambiguous_product: 'Varios productos de la tienda tienen este nombre. Hay que escribir el slug del correcto.',
  },
  fileProblems: {
    no_headings: 'El archivo no tiene esa fila.',
    empty: 'El archivo está vacío.',
    json_array: 'El archivo es una sola lista JSON. Hay que escribir un objeto en cada línea.',
    utf16: 'El archivo no es UTF-8, sino UTF-16.',
    not_utf8: (character: number) => `El carácter ${character} no es UTF-8. Hay que elegir otra codificación.`,
    not_encoding: (encoding: string, character: number) =>
      `El archivo no es ${encoding}: el carácter ${character} no existe allí. Hay que elegir otra codificación.`,
    unknown_column: (name: string) =>
      `La columna «${name}» no se puede importar. Hay que darle otro nombre en el archivo.`,
    repeated_column: (name: string) => `Hay más de una columna para «${name}».`,
    unknown_field: (name: string) =>
      `El campo «${name}» aparece aquí por primera vez, y por eso no se pudo elegir nada para él. Hay que escribirlo también en la primera línea del archivo.`,
    quote_not_closed: 'Aquí se abre una comilla que nunca se cierra.',
    quote_in_value:
      'Hay una comilla dentro de un valor. El valor va entre comillas, y cada comilla dentro de él se escribe dos veces.',
    text_after_quote:
      'Hay texto después de una comilla de cierre. Cada comilla dentro de un valor se escribe dos veces.',
    row_too_long: 'La fila es demasiado larga. Quizá una comilla nunca se cierra.',
    line_too_long: 'La línea es demasiado larga.',
    malformed: 'La fila no es CSV válido.',
    workbook: (cell?: string) =>
      `No se puede leer el libro${cell === undefined ? '' : `: el problema está en la celda ${cell}`}. Hay que abrirlo, guardarlo otra vez como libro de Excel (.xlsx) y elegir ese archivo.`,
    json_lines: 'El JSON está escrito en varias líneas. Hay que escribir cada objeto en una sola línea.',
    html: 'Es una página web, aunque su nombre diga otra cosa. Hay que abrirla en una hoja de cálculo y guardarla como libro (.xlsx).',
    password: 'El libro está protegido con una contraseña. Hay que guardarlo sin ella.',
    old_workbook: 'Es un libro en el formato antiguo (.xls). Hay que abrirlo y guardarlo como libro de Excel (.xlsx).',
    other_format: (format: string) =>
      `El formato del archivo es ${format}. Hay que abrirlo en el programa que lo escribió y guardarlo como libro de Excel (.xlsx).`,
    database_text:
      'El valor está escrito como en una base de datos, sin comillas y con barras invertidas. Hay que exportarlo como CSV.',
    too_large: (megabytes: number) =>
      `Descomprimido, el libro ocuparía ${megabytes} MB. Un archivo ajeno puede estar hecho para llenar la memoria. Si de verdad tiene tantas filas, se puede leer de todos modos.`,
    all_hidden:
      'Todas las filas de la hoja están ocultas. Hay que mostrarlas en la hoja de cálculo y guardarla otra vez.',
    unknown_sheet: 'El libro no tiene esa hoja.',
  },
  notCorrected: 'Así no se puede leer el archivo, que se sigue leyendo como antes',
  columns: 'Columnas',
  columnsHint: 'Elegir el campo para cada columna del archivo. Las columnas ignoradas no se envían.',
  coursesHint:
    'Un producto se encuentra por su nombre, sin distinguir acentos ni mayúsculas, o por su slug. Entre varios se escribe una barra ( | ).',
  courses: 'Ver los productos de la tienda',
  column: 'Columna',
  examples: 'Primeros valores',
  fieldOf: (column: string) => `Campo para «${column}»`,
  field: 'Campo',
  unnamed: 'una columna sin nombre',
  ignore: 'Ignorar',
  ofUser: 'Usuario',
  ofCustomFields: 'Campos personalizados',
  ofProducts: 'Accesos a productos',
  fields: {
    name: 'Nombre',
    language: 'Idioma (ES, PT, EN)',
    full_name: 'Nombre completo',
    second_last_name: 'Segundo apellido',
    product: 'Productos',
    product_status: 'Estado del acceso',
    product_due_date: 'Vencimiento',
    custom_fields: 'Campos personalizados en JSON',
    product_accesses: 'Accesos en JSON',
    access_id: 'ID del acceso',
    user_id: 'ID del usuario',
    product_id: 'ID del producto',
  },
  missing: (fields: string) => `Obligatorio, pero sin columna elegida: ${fields}.`,
  repeated: (fields: string) => `Elegido para más de una columna: ${fields}. Cada campo se puede elegir una sola vez.`,
  unclear: (field: string, columns: string[]) =>
    columns.length === 1
      ? `«${columns[0]}» puede ser de otra persona (${field}). Si es la columna correcta, hay que elegirla arriba.`
      : `Varias columnas pueden ser el campo ${field}: ${columns.map((name) => `«${name}»`).join(', ')}. Hay que elegir la correcta arriba, o dejarlas sin leer.`,
  ignoredDays: (columns: string[]) =>
    `Los días de ${columns.map((name) => `«${name}»`).join(', ')} no se leen: cada acceso dura lo que dice su producto. Si son vencimientos, hay que elegir ese campo arriba.`,
  ignoredStatus: (column: string, values: string[]) =>
    `«${column}» (${values.join(', ')}) no se lee: cada fila da acceso. Si alguna no debe darlo, hay que borrarla en el archivo.`,
  zone: (zone: string) => `Los días y las horas son los de la tienda, en la zona horaria ${zone}.`,
  effectsOf: 'Accesos de personas que ya existen:',
  effects: {
    dry: {
      earlier: (n: number) => form(n, 'vencería antes', 'vencerían antes'),
      closed: (n: number) => form(n, 'se cerraría', 'se cerrarían'),
      granted: (n: number) => form(n, 'se concedería', 'se concederían'),
      opened: (n: number) => form(n, 'se reabriría', 'se reabrirían'),
      later: (n: number) => form(n, 'vencería después', 'vencerían después'),
    },
    real: {
      earlier: (n: number) => form(n, 'vence antes', 'vencen antes'),
      closed: (n: number) => form(n, 'cerrado', 'cerrados'),
      granted: (n: number) => form(n, 'concedido', 'concedidos'),
      opened: (n: number) => form(n, 'reabierto', 'reabiertos'),
      later: (n: number) => form(n, 'vence después', 'vencen después'),
    },
  },
  uncompared: 'Sin comparar',
  neverShorten: 'No acortar nunca un acceso',
  neverShortenHint: 'Un acceso que vence después de lo que dice el archivo, o nunca, conserva su fecha.',
  renaming: 'Las filas con el mismo correo son una sola persona: vale el último nombre',
  renamesRow: (line: number, earlier: number) =>
    `La fila ${line} cambiaría el nombre de la persona de la fila ${earlier}.`,
  skipHint:
    'De las filas con el mismo correo solo se importa la primera, y los productos de las demás se pierden. Hay que poner todos los productos de una persona en una fila, o actualizar a quienes ya existen.',
  sameHeading: (headings: string) =>
    `Varias columnas del archivo tienen el mismo encabezado: ${headings}. Hay que ignorarlas, o cambiarlo en el archivo en todas menos una.`,
  missingProduct:
    'Una columna con un estado o una fecha de vencimiento necesita otra columna con el producto. Hay que elegirla.',
  existing: 'Usuarios que ya existen',
  existingHint: 'Se reconocen por el correo electrónico, sin distinguir mayúsculas de minúsculas.',
  onExisting: {
    fail: 'Indicarlos como fallidos',
    skip: 'Dejarlos como están',
    update: 'Actualizarlos',
    only_update: 'Solo actualizar, sin crear a nadie',
  },
  preview: 'Vista previa',
  unknownProducts: 'Productos que la tienda no tiene',
  unknownProductsHint:
    'Las filas con estos nombres fallan. Si se trata de un producto de la tienda, basta con elegirlo aquí una vez.',
  noProduct: 'Ninguno: las filas fallan',
  rows: (n: number) => count(n, 'fila', 'filas'),
  productFor: (text: string) => `Producto para «${text}»`,
  nameIn: (line: number) => `Nombre en la fila ${line}`,
  chooseSplit: 'Elegir',
  leftOut: 'Omitidos por ser nuevos',
  splits: 'Cómo se dividen los nombres completos',
  splitsHint:
    'Detrás de una coma está el nombre; si no hay coma, el nombre termina en el primer espacio. Otra división se elige aquí en cada fila, o se escribe con coma en el archivo, como «García López, José».',
  doubtfulNames: (n: number, all: number) =>
    `Conviene revisar ${number(n)} de ${count(all, 'nombre', 'nombres')}: los que tienen más de dos palabras, una coma o una palabra como «de».`,
  doubtfulFirst: 'Primero los que conviene revisar',
  pageOf: (page: number, pages: number) => `Página ${number(page)} de ${number(pages)}`,
  rowsFrom: (n: number) => `${number(n)} filas, desde esta`,
  previewHint: 'Las primeras filas del archivo, tal como se enviarán.',
  row: (n: number) => `Fila ${number(n)}`,
  line: (n: number) => `Línea ${number(n)}`,
  notSent: 'Esta fila no se enviará:',
  until: (date: string) => `hasta el ${date}`,
  noLimit: 'sin límite',
  check: 'Comprobar sin importar',
  run: 'Importar',
  pause: 'Pausar',
  pausedHint:
    'Se puede cerrar esta pestaña. Para continuar después, hay que elegir otra vez el mismo archivo. Ningún usuario se importa dos veces.',
  stoppedHint:
    'Las filas terminadas se conservan, y se puede continuar desde aquí. Ningún usuario se importa dos veces.',
  runningHint:
    'Mientras tanto se pueden usar otras pantallas. Si se cierra esta pestaña, la importación queda en pausa.',
  checkedHint: 'No se ha cambiado nada. Esto es lo que haría una importación.',
  states: {
    dry: {
      checking: 'Leyendo el archivo completo',
      running: 'Comprobando',
      paused: 'Comprobación en pausa',
      stopped: 'Comprobación detenida',
      done: 'Comprobación terminada',
    },
    real: {
      checking: 'Leyendo el archivo completo',
      running: 'Importando',
      paused: 'Importación en pausa',
      stopped: 'Importación detenida',
      done: 'Importación terminada',
    },
  },
  progress: 'Progreso de la importación',
  rate: (n: string) => `${n} filas por segundo`,
  left: (time: string) => `quedan ${time}`,
  seconds: (n: number) => `${n} s`,
  minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  waiting: (reason: string, seconds: number) => `En espera: ${reason}. Próximo intento en ${seconds} s.`,
  waits: {
    busy: 'el servicio recibe demasiadas solicitudes',
    failing: (status: number) => `el servicio tiene un problema (${status})`,
    no_answer: 'el servicio no responde',
    timeout: 'el servicio tarda demasiado en responder',
    not_json: 'no se pudo leer la respuesta',
    rows: 'el servicio todavía no acepta algunas filas',
  },
  wouldCreate: 'Se crearían',
  created: 'Creados',
  existingCount: 'Ya existían',
  wouldFail: 'Fallarían',
  failed: 'Fallidos',
  problems: {
    other_tab: 'Este archivo se está importando en otra pestaña. Hay que continuar allí, o pausar allí primero.',
    changed_elsewhere: 'La importación de este archivo ha cambiado en otra pestaña. «Continuar» la retoma desde allí.',
    shared_emails:
      'Hay filas con el mismo correo y otros nombres, y cada una cambiaría el nombre de la persona de una fila anterior. Hay que dar a cada persona un correo en el archivo, o confirmar arriba que son una sola. No se envió nada.',
    signed_out: 'La sesión está cerrada. Para continuar, hay que iniciar sesión y elegir el mismo archivo.',
    changed:
      'El navegador ya no puede leer el archivo: alguien lo cambió, lo movió o lo borró. Hay que elegirlo otra vez.',
    unexpected:
      'Ha fallado algo que esta consola no espera. Hay que cargar la página de nuevo y elegir el mismo archivo.',
    gave_up: (reason: string, minutes: number) =>
      `Sin éxito durante ${count(minutes, 'minuto', 'minutos')}: ${reason}.`,
    results: (results: number, rows: number) =>
      `La respuesta del servicio no encaja. Resultados: ${number(results)}; filas: ${number(rows)}.`,
    token: 'Con esta sesión no se pueden importar usuarios en esta tienda.',
  },
  failedLines: 'Filas fallidas',
  wouldFailLines: 'Filas que fallarían',
  lineHead: 'Fila',
  person: 'Persona',
  reasons: 'Motivo',
  more: (n: number) => `El archivo que se puede descargar tiene ${count(n, 'fila más', 'filas más')}.`,
  downloads: { xlsx: 'Archivo de Excel (.xlsx)', csv: 'Archivo CSV', ndjson: 'Archivo NDJSON' },
  failedSheet: 'Filas fallidas',
  downloadHint:
    'Descargar estas filas, corregirlas e importar ese archivo. Dice qué falla en cada una y marca las celdas.',
}
