/** What the dialog says that takes an import back, in Spanish. */
import { countingIn } from '../counting.ts'
import type { Words } from '../words.ts'

const { number } = countingIn('es')

export const takingBack: Words['takeBack'] = {
  action: 'Deshacer',
  actionOf: (file: string) => `Deshacer la importación de ${file}`,
  title: 'Deshacer una importación',
  what: 'Lo que la importación concedió se cierra. Lo que cambió vuelve a su valor anterior donde sigue como lo dejó. A quien creó se elimina, salvo que haya pasado algo desde entonces.',
  checking: 'Comprobando qué pasaría',
  running: 'Deshaciendo la importación',
  stopHint: 'Si se cierra esta ventana, se detiene. Se puede seguir más tarde.',
  progress: 'Progreso',
  checked: 'Todavía no se ha cambiado nada. Pasaría esto:',
  done: 'Se deshizo la importación',
  doneBefore: (stays: string) => `Deshecha. Se queda: ${stays}`,
  nothing: 'No hay nada que deshacer.',
  counts: {
    erased: 'Usuarios eliminados',
    closed: 'Accesos cerrados',
    people: 'Usuarios con los valores de antes',
    accesses: 'Accesos con los valores de antes',
    stays: 'Lo que se queda',
  },
  noErase:
    'Este rol no puede eliminar usuarios. Los que creó la importación se quedan y sus accesos se cierran. Un operador con el rol de administrador puede eliminarlos.',
  typeToConfirm: (n: string) => `Escribir ${n} para confirmar`,
  staysTitle: 'Lo que se queda y por qué',
  stays: {
    person_changed: 'Alguien ha cambiado a este usuario desde entonces.',
    person_used: 'Alguien ha concedido o cambiado un acceso desde entonces, o hay progreso en alguno.',
    no_right: 'Este rol no puede eliminar usuarios.',
    field_changed: (what: string) => `${what}: ya no está como lo dejó la importación.`,
    access_changed: (what: string) => `Acceso a ${what}: ya no está como lo dejó la importación.`,
    password: 'La contraseña: la anterior no se puede leer.',
    rejected: (what: string) => `${what}: el servicio ya no acepta el valor anterior.`,
    uncompared: 'Los accesos: la importación no pudo leerlos antes de cambiarlos.',
  },
  moreStays: (n: number) => `Y ${number(n)} más.`,
  old: 'Este registro es de una versión anterior de la consola y no tiene lo que hace falta.',
  copies:
    'Los archivos que alguien haya descargado y las importaciones que recuerden otros navegadores pueden tener copias.',
  number,
}
