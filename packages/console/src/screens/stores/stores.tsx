import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { LENGTH } from '../../../../../src/limits.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { emptyOr, filled, isAnything, isSlug } from '../../forms/checks.ts'
import { useRecordForm } from '../../forms/use-record-form.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'
import { isStoreLanguage, type StoreLanguage, useStoreLanguages } from './languages.ts'
import { NO_PLACE, placeBody, type PlaceDraft, PlaceInputs } from './place-inputs.tsx'
import { usePlaceText } from './places.ts'
import { ZoneSelect } from './zone-select.tsx'
import { BROWSER_ZONE } from '../../zone.tsx'

export function Stores() {
  const { common, places, stores } = useWords()
  const { can, seesAllStores } = useSession()
  const languages = useStoreLanguages()
  return (
    <ResourceScreen<Schemas['Store']>
      title={stores.title}
      none={stores.none}
      name={['stores', 'pages']}
      list={(query) => bodyOf(api.GET('/admin/stores', { params: { query } }))}
      columns={[
        {
          head: common.name,
          cell: ({ id, name }) => (
            <TextLink inherit to="/s/$store" params={{ store: id }}>
              {name}
            </TextLink>
          ),
        },
        { head: common.id, width: '20%', cell: ({ id }) => id },
        { head: places.title, width: '22%', cell: usePlaceText() },
        {
          head: stores.language,
          width: '15%',
          cell: ({ language }) => languages.find(({ value }) => value === language)?.label ?? language,
        },
        { head: common.created, width: '17%', cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
      keyOf={({ id }) => id}
      mayChange={can('stores:write') && seesAllStores}
      create={{ label: stores.create }}
      form={(_, close) => <CreateStore onClose={close} />}
    />
  )
}

interface Fields extends PlaceDraft {
  id: string
  name: string
  language: StoreLanguage
  time_zone: string
}

/** Most stores are where their first operator is. */
const EMPTY: Fields = { id: '', name: '', language: 'ES', time_zone: BROWSER_ZONE, ...NO_PLACE }

function CreateStore({ onClose }: { onClose: () => void }) {
  const { common, stores } = useWords()
  const navigate = useNavigate()
  const { fields, set, text, input, errors, form } = useRecordForm({
    before: EMPTY,
    checks: ({ id, name, language }) => ({
      id: [id, emptyOr(isSlug)],
      name: [name, filled(LENGTH.name)],
      language: [language, isAnything],
      time_zone: ['', isAnything],
      place: ['', isAnything],
      jurisdiction: ['', isAnything],
      location: ['', isAnything],
    }),
    send: ({ id, name, language, time_zone, ...place }) => {
      const body = { name, language, time_zone, ...(id !== '' && { id }), ...placeBody(place) }
      return bodyOf(api.POST('/admin/stores', { body }))
    },
    done: ({ name }) => stores.created(name),
    onDone: ({ id }) => {
      onClose()
      void navigate({ to: '/s/$store', params: { store: id } })
    },
  })
  const language = input('language')
  return (
    <DialogForm {...form} action={common.create} onCancel={onClose}>
      <TextInput {...text('name')} label={common.name} required data-autofocus />
      <TextInput {...text('id')} label={common.id} description={stores.idHint} />
      <Select
        {...language}
        label={stores.language}
        description={stores.languageHint}
        data={useStoreLanguages()}
        onChange={(chosen) => isStoreLanguage(chosen) && language.onChange(chosen)}
        allowDeselect={false}
      />
      <ZoneSelect {...input('time_zone')} />
      <PlaceInputs draft={fields} onChange={set} errors={errors} />
    </DialogForm>
  )
}
