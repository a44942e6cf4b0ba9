import { ActionIcon, Fieldset, PasswordInput, Select, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { XIcon } from '@primer/octicons-react'
import { Fragment, type ReactNode, useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { isCountry } from '../../../../../src/modules/users/countries.ts'
import { PLAIN_FIELDS, type PlainField } from '../../../../../src/modules/users/user-fields.ts'
import { TextLink } from '../../parts/links.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { useStore } from '../../store.ts'
import { fieldName } from '../../words/field-name.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { customPath, type Draft, STORE_LANGUAGES } from './draft.ts'

interface Props {
  draft: Draft
  onChange: (draft: Draft) => void
  /** The API's explanation for each field. */
  errors: Record<string, string>
  /** The id of the user who has the email. */
  existing?: string | undefined
  definitions: Schemas['CustomField'][]
  isNew: boolean
}

export function UserInputs(props: Props) {
  const { user, users } = useWords()
  const { language } = useLanguage()
  const store = useStore()
  const { draft, onChange, errors, existing, isNew } = props
  const set = (path: string, text: string) => onChange(new Map(draft).set(path, text))
  const input = useTexts(draft, set, errors)
  const countries = useMemo(() => countryOptions(language), [language])
  const languageNames = useMemo(() => new Intl.DisplayNames(language, { type: 'language' }), [language])
  const languages = withCurrent(
    STORE_LANGUAGES.map((code) => ({ value: code, label: languageNames.of(code.toLowerCase()) ?? code })),
    draft.get('language'),
  )
  /** Those that are more than a text. */
  const special: Partial<Record<PlainField, ReactNode>> = {
    country: (
      <SearchSelect
        {...input('country')}
        data={withCurrent(countries, draft.get('country'))}
        value={draft.get('country') || null}
        onChange={(value) => set('country', value ?? '')}
        clearable
        clearButtonProps={{ 'aria-label': user.clearCountry }}
      />
    ),
    language: (
      <Select
        {...input('language')}
        data={languages}
        value={draft.get('language') || null}
        onChange={(value) => set('language', value ?? '')}
        allowDeselect={isNew}
        {...(isNew && { placeholder: user.storeLanguage })}
      />
    ),
  }
  const details: Partial<Record<PlainField, TextInputProps & { 'data-autofocus'?: true }>> = {
    name: { label: user.firstName, required: true, 'data-autofocus': true },
    last_name: { required: true },
    email: {
      type: 'email',
      required: true,
      ...(existing !== undefined && {
        error: (
          <>
            {errors['email']}{' '}
            <TextLink inherit to="/s/$store/users/$id" params={{ store, id: existing }}>
              {users.openExisting}
            </TextLink>
          </>
        ),
      }),
    },
    phone: { type: 'tel' },
    external_id: { description: user.externalIdHint, inputWrapperOrder: HINT_BELOW },
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {PLAIN_FIELDS.filter((field) => field !== 'avatar').map((field) => (
          <Fragment key={field}>{special[field] ?? <TextInput {...input(field)} {...details[field]} />}</Fragment>
        ))}
        <PasswordInput
          {...input('password')}
          label={isNew ? user.password : user.newPassword}
          description={isNew ? user.passwordHint : user.newPasswordHint}
          inputWrapperOrder={HINT_BELOW}
          visibilityToggleButtonProps={{ 'aria-label': user.showPassword, tabIndex: 0 }}
          autoComplete="new-password"
        />
      </SimpleGrid>
      <TextInput {...input('avatar')} />
      <CustomInputs {...props} set={set} />
    </>
  )
}

const HINT_BELOW = ['label' as const, 'input' as const, 'description' as const, 'error' as const]

/**
 * Shows an input for each custom field of the store. A value whose field was deleted is shown too, but can only be
 * removed: the API rejects new values for it.
 */
function CustomInputs({ draft, errors, definitions, set }: Props & { set: (path: string, text: string) => void }) {
  const { user, nav } = useWords()
  const input = useTexts(draft, set, errors)
  const defined = new Set(definitions.map(({ key }) => customPath(key)))
  const others = [...draft.keys()].filter((path) => path.startsWith(customPath('')) && !defined.has(path))
  if (defined.size + others.length === 0) return null
  return (
    <Fieldset legend={nav.customFields}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {definitions.map(({ key, label }) => (
          <TextInput key={key} {...input(customPath(key))} label={label ?? key} />
        ))}
        {others.map((path) => (
          <TextInput
            key={path}
            {...input(path)}
            readOnly
            description={draft.get(path) === '' ? user.willBeRemoved : user.notDefined}
            inputWrapperOrder={HINT_BELOW}
            rightSection={
              draft.get(path) !== '' && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={user.removeField(path.slice(customPath('').length))}
                  onClick={() => set(path, '')}
                >
                  <XIcon size={16} aria-hidden />
                </ActionIcon>
              )
            }
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  )
}

function useTexts(draft: Draft, set: (path: string, text: string) => void, errors: Record<string, string>) {
  const words = useWords()
  return (path: string) => ({
    label: fieldName(path, words),
    value: draft.get(path) ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(path, currentTarget.value),
    error: errors[path],
    autoComplete: 'off',
  })
}

interface Choice {
  value: string
  label: string
}

/**
 * Adds the current value if it is not among the options. v3 accepts codes that v1 does not, and the select would show
 * such a value as empty.
 */
function withCurrent(options: Choice[], current: string | undefined): Choice[] {
  const isMissing = current !== undefined && current !== '' && !options.some(({ value }) => value === current)
  return isMissing ? [...options, { value: current, label: current }] : options
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')

function countryOptions(language: string): Choice[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter(isCountry)
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
}
