import { Checkbox, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LENGTH, MAX_PROGRESS } from '../../../../../src/limits.ts'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { DialogForm } from '../../parts/dialog.tsx'
import { atMost, emptyOr, isAnything, isWebUrl, numberFrom } from '../../forms/checks.ts'
import { useFormErrors } from '../../forms/form-errors.ts'
import { MomentInput } from '../../parts/moment-input.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { Access } from './access.ts'
import { type AccessFormProps, ReloadButton } from './access-form.tsx'

const FIELDS = [
  'progress',
  'passed',
  'grade',
  'concept_grade',
  'started_at',
  'completed_at',
  'certificate_url',
] as const

type Draft = Pick<Access, 'started_at' | 'completed_at' | 'passed'> & {
  progress: number | string
  grade: string
  concept_grade: string
  certificate_url: string
}

export function ProgressForm({ state: { body, etag }, onClose, onReload }: AccessFormProps) {
  const { user, common } = useWords()
  const store = useStore()
  const [draft, setDraft] = useState(() => draftOf(body))
  const change = useChange<void, unknown>({
    change: () =>
      bodyOf(
        api.PATCH('/admin/stores/{store_id}/product_accesses/{id}', {
          params: { path: { store_id: store, id: body.id }, header: { 'If-Match': etag } },
          body: changesOf(body, draft),
        }),
      ),
    done: user.accessChanged,
    onDone: onClose,
  })
  const errors = useFormErrors(change.failure, {
    progress: [String(draft.progress), numberFrom(0, MAX_PROGRESS)],
    grade: [draft.grade, atMost(LENGTH.grade)],
    concept_grade: [draft.concept_grade, atMost(LENGTH.grade)],
    certificate_url: [draft.certificate_url, emptyOr(isWebUrl)],
    started_at: [draft.started_at ?? '', isAnything],
    completed_at: [draft.completed_at ?? '', isAnything],
    passed: [String(draft.passed), isAnything],
  })
  return (
    <DialogForm action={common.save} change={change} errors={errors} onSubmit={() => change.run()} onCancel={onClose}>
      <Text fw={600}>{body.product.name}</Text>
      <ProgressInputs draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} errors={errors.shown} />
      {change.failure?.status === 412 && <ReloadButton onReload={onReload} />}
    </DialogForm>
  )
}

interface InputsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  errors: Record<string, string>
}

function ProgressInputs({ draft, onChange, errors }: InputsProps) {
  const { user, fieldNames } = useWords()
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={user.progressUnit}
          value={draft.progress}
          onChange={(progress) => onChange({ progress })}
          min={0}
          max={MAX_PROGRESS}
          error={errors['progress']}
          data-autofocus
        />
        <TextInput
          label={fieldNames.grade}
          value={draft.grade}
          onChange={({ currentTarget }) => onChange({ grade: currentTarget.value })}
          error={errors['grade']}
        />
        <MomentInput
          label={fieldNames.started_at}
          value={draft.started_at}
          onChange={(started_at) => onChange({ started_at })}
          placeholder={user.notYet}
          error={errors['started_at']}
          isClearable
        />
        <MomentInput
          label={fieldNames.completed_at}
          value={draft.completed_at}
          onChange={(completed_at) => onChange({ completed_at })}
          placeholder={user.notYet}
          error={errors['completed_at']}
          isClearable
        />
      </SimpleGrid>
      <TextInput
        label={fieldNames.concept_grade}
        value={draft.concept_grade}
        onChange={({ currentTarget }) => onChange({ concept_grade: currentTarget.value })}
        error={errors['concept_grade']}
      />
      <TextInput
        label={fieldNames.certificate_url}
        type="url"
        value={draft.certificate_url}
        onChange={({ currentTarget }) => onChange({ certificate_url: currentTarget.value })}
        error={errors['certificate_url']}
      />
      <Checkbox
        label={fieldNames.passed}
        checked={draft.passed}
        onChange={({ currentTarget }) => onChange({ passed: currentTarget.checked })}
        error={errors['passed']}
      />
    </>
  )
}

function draftOf({ progress, passed, grade, concept_grade, started_at, completed_at, certificate_url }: Access): Draft {
  return {
    progress,
    passed,
    grade: grade === null ? '' : String(grade),
    concept_grade: concept_grade ?? '',
    started_at,
    completed_at,
    certificate_url: certificate_url ?? '',
  }
}

/**
 * Returns only what the operator has changed. Sending the other fields would overwrite what someone else has recorded.
 */
function changesOf(access: Access, draft: Draft): Schemas['RecordProgress'] {
  const before = draftOf(access)
  const changes: Schemas['RecordProgress'] = {
    progress: Number(draft.progress),
    passed: draft.passed,
    grade: gradeOf(draft.grade, access.grade),
    concept_grade: draft.concept_grade || null,
    started_at: draft.started_at,
    completed_at: draft.completed_at,
    certificate_url: draft.certificate_url || null,
  }
  for (const field of FIELDS) if (draft[field] === before[field]) delete changes[field]
  return changes
}

/**
 * Sends a grade that looks like a number as one, unless the previous grade was text: "10" would otherwise change its
 * type.
 */
function gradeOf(text: string, before: Access['grade']): Access['grade'] {
  if (text === '') return null
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return typeof before !== 'string' && String(Number(text)) === text && Number.isFinite(Number(text))
    ? Number(text)
    : text
}
