import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH, MAX_EXPIRY_NOTICE_DAYS } from '../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { filled, integerFrom, isAnything } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'
import { isStoreLanguage, useStoreLanguages } from '../stores/languages.ts'

export function SettingsForm({ store }: { store: Schemas['Store'] }) {
  const words = useWords()
  const [name, setName] = useState(store.name)
  const [language, setLanguage] = useState(store.language)
  const [days, setDays] = useState<number | string>(store.expiry_notice_days)
  const isChanged =
    name !== store.name || language !== store.language || String(days) !== String(store.expiry_notice_days)
  const save = useChange<void, Schemas['Store']>({
    change: () =>
      bodyOf(
        api.PATCH('/admin/stores/{store_id}', {
          params: { path: { store_id: store.id } },
          // Only changed fields are sent. The others may have a newer value than the form shows, which would be
          // overwritten.
          body: {
            ...(name !== store.name && { name }),
            ...(language !== store.language && isStoreLanguage(language) && { language }),
            ...(days !== '' && Number(days) !== store.expiry_notice_days && { expiry_notice_days: Number(days) }),
          },
        }),
      ),
    done: words.common.saved,
  })
  const reset = () => {
    save.reset()
    setName(store.name)
    setLanguage(store.language)
    setDays(store.expiry_notice_days)
  }
  const errors = useFormErrors(save.failure, {
    name: [name, filled(LENGTH.name)],
    language: [language, isAnything],
    expiry_notice_days: [String(days), integerFrom(0, MAX_EXPIRY_NOTICE_DAYS)],
  })
  return (
    <DialogForm
      action={words.common.save}
      change={save}
      errors={errors}
      onSubmit={save.run}
      onCancel={reset}
      isDisabled={!isChanged}
    >
      <TextInput
        label={words.common.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={errors.shown['name']}
        required
      />
      <Select
        label={words.stores.language}
        description={words.stores.languageHint}
        data={useStoreLanguages()}
        value={language}
        onChange={(chosen) => chosen !== null && setLanguage(chosen)}
        error={errors.shown['language']}
        allowDeselect={false}
      />
      <NumberInput
        label={words.settings.notice}
        description={words.settings.noticeHint}
        value={days}
        onChange={setDays}
        error={errors.shown['expiry_notice_days']}
        min={0}
        max={MAX_EXPIRY_NOTICE_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
    </DialogForm>
  )
}
