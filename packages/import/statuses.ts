/** The status of an access as the API has it, or as the console writes it in English, Spanish or Portuguese. */
import { ACCESS_STATUSES, type AccessStatus } from '../../src/db/schema/access-status.ts'
import { foldName } from './normalize-name.ts'

/** An access that has ended by its date is open: closing it would be a change. */
const NAMES: Record<AccessStatus, readonly string[]> = {
  with_access: [
    'with access',
    'in force',
    'ended',
    'con acceso',
    'vigente',
    'vencido',
    'com acesso',
    'em vigor',
    'expirado',
    'terminado',
  ],
  without_access: ['without access', 'closed', 'sin acceso', 'cerrado', 'sem acesso', 'encerrado', 'fechado'],
}

const STATUSES = new Map(
  ACCESS_STATUSES.flatMap((status) => [status, ...NAMES[status]].map((name): [string, AccessStatus] => [name, status])),
)

/** Undefined if the text names no status. */
export function statusNamed(text: string): AccessStatus | undefined {
  return STATUSES.get(foldName(text))
}
