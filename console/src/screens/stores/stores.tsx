import { Button, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LENGTH } from '../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useAddress } from '../../address.ts'
import { usePages } from '../../api/pages.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { emptyOr, filled, isAnything, isSlug } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'
import { isStoreLanguage, type StoreLanguage, useStoreLanguages } from './languages.ts'
import { NO_PLACE, placeBody, PlaceInputs } from './place-inputs.tsx'
import { usePlaceText } from './places.ts'

type Store = Schemas['Store']

export function Stores() {
  const words = useWords()
  const { can, seesAllStores } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { place } = useAddress(() => ({}))
  const page = usePages(
    ['stores', 'pages'],
    (after, { limit, signal }) =>
      bodyOf(api.GET('/admin/stores', { params: { query: { limit, ...(after !== undefined && { after }) } }, signal })),
    { place },
  )
  const create = can('stores:write') && seesAllStores && (
    <Button onClick={() => setCreating(true)}>{words.stores.create}</Button>
  )
  const close = () => setCreating(false)
  return (
    <Screen title={words.stores.title} actions={create}>
      <PageTable
        label={words.stores.title}
        page={page}
        columns={useColumns()}
        keyOf={({ id }) => id}
        empty={<Empty text={words.stores.none}>{create}</Empty>}
      />
      <Dialog isOpen={isCreating} onClose={close} title={words.stores.create}>
        <CreateStore onClose={close} />
      </Dialog>
    </Screen>
  )
}

function useColumns(): Column<Store>[] {
  const words = useWords()
  const languages = useStoreLanguages()
  const placeText = usePlaceText()
  return [
    {
      head: words.common.name,
      cell: ({ id, name }) => (
        <TextLink inherit to="/s/$store" params={{ store: id }}>
          {name}
        </TextLink>
      ),
    },
    { head: words.common.id, width: '20%', cell: ({ id }) => id },
    { head: words.places.title, width: '22%', cell: placeText },
    {
      head: words.stores.language,
      width: '15%',
      cell: ({ language }) => languages.find(({ value }) => value === language)?.label ?? language,
    },
    { head: words.common.created, width: '17%', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
}

function CreateStore({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const navigate = useNavigate()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [language, setLanguage] = useState<StoreLanguage>('ES')
  const [place, setPlace] = useState(NO_PLACE)
  const create = useChange<void, Store>({
    change: () => {
      const body = { name, language, ...(id !== '' && { id }), ...placeBody(place) }
      return bodyOf(api.POST('/admin/stores', { body }))
    },
    done: (store) => words.stores.created(store.name),
    onDone: (store) => {
      onClose()
      void navigate({ to: '/s/$store', params: { store: store.id } })
    },
  })
  const errors = useFormErrors(create.failure, {
    id: [id, emptyOr(isSlug)],
    name: [name, filled(LENGTH.name)],
    language: [language, isAnything],
    place: ['', isAnything],
    jurisdiction: ['', isAnything],
    location: ['', isAnything],
  })
  return (
    <DialogForm action={words.common.create} change={create} errors={errors} onSubmit={create.run} onCancel={onClose}>
      <TextInput
        label={words.common.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={errors.shown['name']}
        required
        data-autofocus
      />
      <TextInput
        label={words.common.id}
        description={words.stores.idHint}
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        error={errors.shown['id']}
      />
      <Select
        label={words.stores.language}
        description={words.stores.languageHint}
        data={useStoreLanguages()}
        value={language}
        onChange={(chosen) => isStoreLanguage(chosen) && setLanguage(chosen)}
        error={errors.shown['language']}
        allowDeselect={false}
      />
      <PlaceInputs draft={place} onChange={setPlace} errors={errors.shown} />
    </DialogForm>
  )
}
