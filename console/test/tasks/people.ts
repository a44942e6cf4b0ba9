/** Makes up the users of the store. The same number always gives the same person. */

export interface Person {
  name: string
  last_name: string
  email: string
}

const NAMES = (
  'José,María,Lucía,Mateo,Sofía,Hugo,Martina,Pablo,Valeria,Daniel,Carla,Álvaro,Julia,Adrián,Alba,Diego,Noa,Mario,' +
  'Emma,Leo,Sara,Javier,Carmen,Manuel,Paula,Marcos,Laura,Iker,Irene,Raúl,João,Beatriz,Thiago,Larissa,Rafael,Inês,' +
  'Gonçalo,Mariana,Duarte,Helena,Caio,Letícia,Owen,Harriet,Fiona,Caleb,Eleanor,Martha,Grace,Henry,Alice,Oscar,Nuria,' +
  'Ignacio,Camila,Julián,Renata,Emilio,Ximena,Andrés'
).split(',')

const LAST_NAMES = (
  'García,Fernández,González,Rodríguez,López,Martínez,Sánchez,Pérez,Gómez,Martín,Jiménez,Ruiz,Hernández,Díaz,Moreno,' +
  'Muñoz,Álvarez,Romero,Alonso,Gutiérrez,Navarro,Torres,Domínguez,Vázquez,Ramos,Gil,Ramírez,Serrano,Blanco,Molina,' +
  'Morales,Suárez,Ortega,Delgado,Castro,Ortiz,Rubio,Marín,Sanz,Núñez,Iglesias,Medina,Garrido,Cortés,Castillo,Santos,' +
  'Lozano,Guerrero,Cano,Prieto,Méndez,Cruz,Calvo,Gallego,Vidal,León,Herrera,Peña,Flores,Cabrera,Silva,Oliveira,Souza,' +
  'Pereira,Lima,Carvalho,Almeida,Ribeiro,Monteiro,Teixeira,Whitlock,Bloom,Ashworth,Strand,Pendleton,Hollis,Marsh,' +
  'Quinn,Reyes,Soto'
).split(',')

/** The people whom the tasks are about, by their place among the users. Nobody else has such a name. */
export const KNOWN = {
  caller: { at: 0.62, name: 'José', last_name: 'García', email: 'jose.garcia@example.net' },
  firstOfThree: { at: 0.11, name: 'Ainhoa', last_name: 'Etxeberria', email: 'ainhoa.etxeberria@example.net' },
  secondOfThree: { at: 0.47, name: 'Cillian', last_name: 'Ó Conaill', email: 'cillian@example.net' },
  thirdOfThree: { at: 0.88, name: 'Zuleika', last_name: 'Brandão', email: 'zuleika.brandao@example.net' },
  closed: { at: 0.35, name: 'Yolanda', last_name: 'Quispe', email: 'yolanda.quispe@example.net' },
  misspelled: { at: 0.71, name: 'Wilhelmina', last_name: 'Garrity', email: 'mina.garity@example.net' },
  leaving: { at: 0.24, name: 'Baltasar', last_name: 'Figueira', email: 'baltasar.figueira@example.net' },
} as const

/** The user number `i` of `all`. */
export function personOf(i: number, all: number): Person {
  for (const { at, name, last_name, email } of Object.values(KNOWN)) {
    if (Math.floor(at * all) === i) return { name, last_name, email }
  }
  const [name, first, second] = [pick(NAMES, i, 7), pick(LAST_NAMES, i, 11), pick(LAST_NAMES, i, 13)]
  return { name, last_name: `${first} ${second}`, email: `${ascii(name)}.${ascii(first)}.${i}@example.com` }
}

/** Mixes the bits of `i`, so that neighbors have different names. */
function pick(texts: string[], i: number, salt: number): string {
  let hash = Math.imul(i + salt * 0x9e_37, 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return texts[((hash ^ (hash >>> 16)) >>> 0) % texts.length] ?? ''
}

export function ascii(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
}
