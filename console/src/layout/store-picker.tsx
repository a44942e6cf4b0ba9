import { Select } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useAllStores } from '../api/stores.ts'
import { useWords } from '../words/index.tsx'

export function StorePicker() {
  const words = useWords()
  const navigate = useNavigate()
  const { store } = useParams({ strict: false })
  const { data: stores = [] } = useAllStores()
  const known = stores.map(({ id, name }) => ({ value: id, label: name }))
  // The list of stores is limited. The current store may be missing from it and is then shown by its id.
  const options =
    store === undefined || stores.some(({ id }) => id === store) ? known : [...known, { value: store, label: store }]
  return (
    <Select
      aria-label={words.nav.store}
      placeholder={words.nav.chooseStore}
      data={options}
      value={store ?? null}
      onChange={(chosen) => chosen !== null && void navigate({ to: '/s/$store', params: { store: chosen } })}
      allowDeselect={false}
      searchable={options.length > 8}
      title={options.find(({ value }) => value === store)?.label}
      w={{ base: 150, sm: 320 }}
      // On a phone the input is narrower than a long name needs.
      comboboxProps={{ width: 320, position: 'bottom-start' }}
    />
  )
}
