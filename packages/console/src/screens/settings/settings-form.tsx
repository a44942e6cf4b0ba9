import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH, MAX_EXPIRY_NOTICE_DAYS } from '../../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { changed } from '../../forms/changed.ts'
import { filled, integerFrom, isAnything } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'
import { isStoreLanguage, useStoreLanguages } from '../stores/languages.ts'
import { ZoneSelect } from '../stores/zone-select.tsx'

interface Fields {
  name: string
  language: string
  time_zone: string
  /** As typed. */
  expiry_notice_days: string
}

function fieldsOf({ name, language, time_zone, expiry_notice_days: days }: Schemas['Store']): Fields {
  return { name, language, time_zone, expiry_notice_days: String(days) }
}

export function SettingsForm({ store }: { store: Schemas['Store'] }) {
  const words = useWords()
  const [before, setBefore] = useState(() => fieldsOf(store))
  const [fields, setFields] = useState(before)
  const { name, language, time_zone, expiry_notice_days: days } = fields
  const save = useChange({
    change: (after: Fields) => {
      const { language: chosen = null, expiry_notice_days, ...rest } = changed(before, after)
      const body = {
        ...rest,
        ...(isStoreLanguage(chosen) && { language: chosen }),
        ...(expiry_notice_days !== undefined && { expiry_notice_days: Number(expiry_notice_days) }),
      }
      return bodyOf(api.PATCH('/admin/stores/{store_id}', { params: { path: { store_id: store.id } }, body }))
    },
    done: words.common.saved,
    onDone: (saved, sent) => {
      setBefore(fieldsOf(saved))
      // What was typed while the change was sent stays.
      setFields((now) => ({ ...fieldsOf(saved), ...changed(sent, now) }))
    },
  })
  const reset = () => {
    save.reset()
    setBefore(fieldsOf(store))
    setFields(fieldsOf(store))
  }
  const errors = useFormErrors(save.failure, {
    name: [name, filled(LENGTH.name)],
    language: [language, isAnything],
    time_zone: [time_zone, isAnything],
    expiry_notice_days: [days, integerFrom(0, MAX_EXPIRY_NOTICE_DAYS)],
  })
  return (
    <DialogForm
      action={words.common.save}
      change={save}
      errors={errors}
      onSubmit={() => save.run(fields)}
      onCancel={reset}
      isDisabled={Object.keys(changed(before, fields)).length === 0}
    >
      <TextInput
        label={words.common.name}
        value={name}
        onChange={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
        error={errors.shown['name']}
        required
      />
      <Select
        label={words.stores.language}
        description={words.stores.languageHint}
        data={useStoreLanguages()}
        value={language}
        onChange={(chosen) => chosen !== null && setFields({ ...fields, language: chosen })}
        error={errors.shown['language']}
        allowDeselect={false}
      />
      <ZoneSelect
        value={time_zone}
        onChange={(chosen) => setFields({ ...fields, time_zone: chosen })}
        error={errors.shown['time_zone']}
      />
      <NumberInput
        label={words.settings.notice}
        description={words.settings.noticeHint}
        value={days}
        onChange={(typed) => setFields({ ...fields, expiry_notice_days: String(typed) })}
        error={errors.shown['expiry_notice_days']}
        min={0}
        max={MAX_EXPIRY_NOTICE_DAYS}
        allowDecimal={false}
        clampBehavior="none"
      />
    </DialogForm>
  )
}
