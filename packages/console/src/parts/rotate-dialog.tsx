import { NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { ROTATION } from '../../../../src/limits.ts'
import type { Change } from '../api/changes.ts'
import { integerFrom } from '../forms/checks.ts'
import { useFormErrors } from '../forms/form-errors.ts'
import { Dialog, DialogForm } from './dialog.tsx'
import { useWords } from '../words/index.tsx'

interface Props {
  title: string
  /** Texts that say what happens to the old secret. */
  words: { planned: string; plannedHint: string; leak: string; leakHint: string }
  isOpen: boolean
  onClose: () => void
  /** Its input is the number of hours for which the older secrets stay valid. */
  change: Change<number>
}

/** Replaces a secret: after an overlap for a planned replacement, or at once after a leak. */
export function RotateDialog({ title, isOpen, onClose, ...props }: Props) {
  const close = () => {
    props.change.reset()
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <RotateForm {...props} onCancel={close} />
    </Dialog>
  )
}

function RotateForm({ words, change, onCancel }: Pick<Props, 'words' | 'change'> & { onCancel: () => void }) {
  const { secrets } = useWords()
  const [why, setWhy] = useState('planned')
  const [hours, setHours] = useState<number | string>(ROTATION.overlapHours)
  const isLeak = why === 'leak'
  const errors = useFormErrors(
    change.failure,
    isLeak ? {} : { overlap_hours: [String(hours), integerFrom(0, ROTATION.maxOverlapHours)] },
  )
  return (
    <DialogForm
      action={secrets.rotate}
      change={change}
      errors={errors}
      isDangerous={isLeak}
      onSubmit={() => change.run(isLeak ? 0 : Number(hours))}
      onCancel={onCancel}
    >
      <Radio.Group label={secrets.why} value={why} onChange={setWhy}>
        <Stack gap="sm" mt="xs">
          <Radio value="planned" label={words.planned} description={words.plannedHint} data-autofocus />
          <Radio value="leak" label={words.leak} description={words.leakHint} />
        </Stack>
      </Radio.Group>
      {!isLeak && (
        <NumberInput
          label={secrets.hours}
          description={secrets.hoursHint(ROTATION.maxOverlapHours)}
          min={0}
          max={ROTATION.maxOverlapHours}
          clampBehavior="none"
          allowDecimal={false}
          value={hours}
          onChange={setHours}
          error={errors.shown['overlap_hours']}
        />
      )}
    </DialogForm>
  )
}
