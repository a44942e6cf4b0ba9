/** What the steps of an undo share: what they have done, and what stays. */
import { personIn } from './changes.ts'
import { textIn } from './text-in.ts'
import type { UndoService } from './undo-service.ts'

export interface UndoCounts {
  erased: number
  /** Accesses that the import has granted. */
  closed: number
  /** People whose values were put back. */
  people: number
  /** Accesses whose status and date were put back. */
  accesses: number
  /** People whom the import has created, and who were erased before. */
  gone: number
}

/**
 * `person_used`: somebody has granted or changed an access of the person, or the person has progress in one. `no_right`:
 * this token may not erase. `uncompared`: the import could not read what it changed.
 */
export type StayCode =
  | 'person_changed'
  | 'person_used'
  | 'no_right'
  | 'field_changed'
  | 'access_changed'
  | 'password'
  | 'rejected'
  | 'uncompared'

export interface Who {
  line: number
  person: string
  email: string
  id: string
}

export interface Stay extends Who {
  code: StayCode
  /** The field, or the product of an access; empty if the person stays. */
  about: string
  /** Why the service has rejected the value. */
  explanation?: string | undefined
}

export interface UndoListener {
  onStay: (stay: Stay) => void
  /** Is called for those who were erased before, too. */
  onErased?: ((who: Who) => void) | undefined
}

/** Somebody who changes a record again and again must not keep the undo from going on. */
export const ATTEMPTS = 5

export class UndoStep {
  readonly counts: UndoCounts = noCounts()
  stays = 0
  /** The rows of which something stays. */
  readonly lines = new Set<number>()
  /** The ids of the accesses that were closed. */
  readonly closed: string[] = []
  readonly service: UndoService
  readonly #listener: UndoListener

  constructor(service: UndoService, listener: UndoListener) {
    this.service = service
    this.#listener = listener
  }

  erased(who: Who): void {
    this.counts.erased++
    this.#listener.onErased?.(who)
  }

  gone(who: Who): void {
    this.counts.gone++
    this.#listener.onErased?.(who)
  }

  stay(who: Who, code: StayCode, about = '', explanation?: string): void {
    this.stays++
    this.lines.add(who.line)
    const { line, person, email, id } = who
    this.#listener.onStay({ line, person, email, id, code, about, explanation })
  }
}

export function noCounts(): UndoCounts {
  return { erased: 0, closed: 0, people: 0, accesses: 0, gone: 0 }
}

export function addCounts(a: UndoCounts, b: UndoCounts): UndoCounts {
  return {
    erased: a.erased + b.erased,
    closed: a.closed + b.closed,
    people: a.people + b.people,
    accesses: a.accesses + b.accesses,
    gone: a.gone + b.gone,
  }
}

export function whoIn(line: number, id: string, item: Record<string, unknown>): Who {
  return { line, id, person: personIn(item), email: textIn(item, 'email') ?? '' }
}
