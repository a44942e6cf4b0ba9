import { Button, Checkbox, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DueDateInput } from '../../parts/due-date-input.tsx'
import { useWords } from '../../words/index.tsx'
import { DAY_MS } from './filter.ts'
import type { BulkChange } from './plan.ts'

const MAX_DAYS = 36_500

export function ExtendForm({ onCancel, onChosen }: { onCancel: () => void; onChosen: (change: BulkChange) => void }) {
  const words = useWords()
  const { accesses } = words
  const [kind, setKind] = useState<'extend_by' | 'extend_to'>('extend_by')
  const [days, setDays] = useState<number | string>(30)
  const [date, setDate] = useState<string | null>(() => new Date(Date.now() + 30 * DAY_MS).toISOString())
  const [mayShorten, setMayShorten] = useState(false)
  const isByDays = kind === 'extend_by'
  const isRight = typeof days === 'number' && days >= 1 && days <= MAX_DAYS
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isByDays) onChosen({ kind, date, mayShorten })
        else if (isRight) onChosen({ kind, days })
      }}
    >
      <Stack>
        <SegmentedControl
          aria-label={accesses.howToExtend}
          data={[
            { value: 'extend_by', label: accesses.byDays },
            { value: 'extend_to', label: accesses.toDate },
          ]}
          value={kind}
          onChange={setKind}
        />
        {isByDays ? (
          <NumberInput
            label={accesses.days}
            description={accesses.daysHint}
            value={days}
            onChange={setDays}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            allowNegative={false}
            error={isRight ? undefined : accesses.daysWrong(MAX_DAYS)}
            data-autofocus
          />
        ) : (
          <>
            <DueDateInput label={accesses.newDate} value={date} onChange={setDate} />
            <Checkbox
              label={accesses.mayShorten}
              checked={mayShorten}
              onChange={({ currentTarget }) => setMayShorten(currentTarget.checked)}
            />
          </>
        )}
        <Text size="sm" c="dimmed">
          {accesses.dryRunHint}
        </Text>
        <Group justify="end">
          <Button variant="default" onClick={onCancel}>
            {words.common.cancel}
          </Button>
          <Button type="submit" disabled={isByDays && !isRight}>
            {accesses.showChanges}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
