/**
 * The users who are selected in the list. They are kept outside of the list: an operator searches for one person after
 * the other, and may look at someone's page in between, which would lose a selection that ends with the list.
 */
import { useParams } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Selection } from '../../parts/page-table.tsx'
import { useWords } from '../../words/index.tsx'
import type { User } from './draft.ts'

/** By id, in the order in which they were selected. */
type Selected = ReadonlyMap<string, User>

interface State {
  selected: Selected
  change: (next: (selected: Selected) => Selected) => void
}

const SelectionContext = createContext<State | undefined>(undefined)

function useSelection(): State {
  const state = useContext(SelectionContext)
  if (!state) throw new Error('useSelection must be used inside UserSelection')
  return state
}

/** Another store clears the selection, because its users are others. */
export function UserSelection({ children }: { children: ReactNode }) {
  const { store } = useParams({ strict: false })
  const [kept, setKept] = useState<{ store: string | undefined; selected: Selected }>({ store, selected: new Map() })
  // A screen that belongs to no store, such as the list of operators, leaves the selection as it is.
  if (store !== undefined && store !== kept.store) setKept({ store, selected: new Map() })
  const state = useMemo<State>(
    () => ({
      selected: kept.selected,
      // A grant that ends after the operator has changed the store must not change the selection there.
      change: (next) => setKept((now) => (now.store === store ? { store, selected: next(now.selected) } : now)),
    }),
    [store, kept.selected],
  )
  return <SelectionContext value={state}>{children}</SelectionContext>
}

export function useSelectedUsers(): { selected: User[]; unselect: (users: User[]) => void } {
  const { selected, change } = useSelection()
  return {
    selected: [...selected.values()],
    unselect: (users) => {
      const ids = new Set(users.map(({ id }) => id))
      change((now) => new Map([...now].filter(([id]) => !ids.has(id))))
    },
  }
}

/** The selection as the table of these users needs it. */
export function useTableSelection(rows: User[] | undefined): Selection {
  const { accesses } = useWords()
  const { selected, change } = useSelection()
  return useMemo(() => {
    const known = new Map([...selected, ...(rows ?? []).map((user) => [user.id, user] as const)])
    return {
      keys: new Set(selected.keys()),
      set: (keys) => change(() => new Map([...known].filter(([id]) => keys.has(id)))),
      label: (id) => {
        const user = known.get(id)
        return accesses.select(user ? `${fullName(user)}, ${user.email}` : id)
      },
      labelOfAll: accesses.selectPage,
    }
  }, [rows, selected, change, accesses])
}

export function fullName({ name, last_name }: Pick<User, 'name' | 'last_name'>): string {
  return `${name} ${last_name}`
}
