import { NumberInput, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Change } from '../api/changes.ts'
import { fieldErrors } from './failure-note.tsx'
import { Dialog, DialogForm } from './dialog.tsx'
import { useWords } from '../words/index.tsx'

const DEFAULT_HOURS = 24
const MAX_HOURS = 168

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
  const [hours, setHours] = useState<number | string>(DEFAULT_HOURS)
  const isLeak = why === 'leak'
  const isWrong = !isLeak && (typeof hours !== 'number' || hours < 0 || hours > MAX_HOURS)
  const error = isWrong ? secrets.hoursWrong(MAX_HOURS) : fieldErrors(change.failure)['overlap_hours']
  return (
    <DialogForm
      action={secrets.rotate}
      change={change}
      known={isLeak ? [] : ['overlap_hours']}
      isDangerous={isLeak}
      isDisabled={isWrong}
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
          description={secrets.hoursHint(MAX_HOURS)}
          min={0}
          max={MAX_HOURS}
          clampBehavior="none"
          allowDecimal={false}
          value={hours}
          onChange={setHours}
          error={error}
        />
      )}
    </DialogForm>
  )
}
