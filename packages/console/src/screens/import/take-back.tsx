import { Button, Group, Progress, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Stay } from '../../import/engine.ts'
import type { SavedRun } from '../../import/saved-runs.ts'
import { newUndoState, startUndo, type UndoState } from '../../import/undo-run.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'
import { ProblemNote } from './problem-note.tsx'
import { useFieldLabel } from './use-field-label.ts'

/** More than so many changes need the number typed. */
const UNCONFIRMED = 100

interface Props {
  run: SavedRun
  isOpen: boolean
  onClose: () => void
}

/** Takes an import back: says what would happen, and then does it. */
export function TakeBack({ run, isOpen, onClose }: Props) {
  const { takeBack } = useWords()
  const isMounted = useMounted()
  return (
    <Dialog title={takeBack.title} isOpen={isMounted && isOpen} onClose={onClose} size="xl">
      <Steps run={run} onClose={onClose} />
    </Dialog>
  )
}

function Steps({ run, onClose }: Omit<Props, 'isOpen'>) {
  const { takeBack, common } = useWords()
  const [isDryRun, setDryRun] = useState(true)
  const [confirmation, setConfirmation] = useState('')
  const state = useUndo(run, isDryRun)
  const { status, counts, stayCount, mayErase, isOld = false } = state
  const { erased, closed, people, accesses } = counts
  const total = erased + closed + people + accesses
  const isChecked = isDryRun && status === 'done'
  const isLarge = isChecked && total > UNCONFIRMED
  const isConfirmed = !isLarge || confirmation.replaceAll(/\D/g, '') === `${total}`
  return (
    <Stack>
      <Text size="sm">{takeBack.what}</Text>
      {status === 'running' && <Running state={state} isDryRun={isDryRun} />}
      {isOld && <Text fw={600}>{takeBack.old}</Text>}
      <ProblemNote title={takeBack.title} problem={state.problem} />
      {status === 'done' && (
        <Text fw={600} role="status">
          {isDryRun ? (total + stayCount === 0 ? takeBack.nothing : takeBack.checked) : takeBack.done}
        </Text>
      )}
      {status !== 'running' && !isOld && <Counts state={state} />}
      {!mayErase && <Text size="sm">{takeBack.noErase}</Text>}
      {status !== 'running' && <Stays state={state} />}
      {status === 'done' && erased > 0 && (
        <Text size="sm" c="dimmed">
          {takeBack.copies}
        </Text>
      )}
      {isLarge && (
        <TextInput
          label={takeBack.typeToConfirm(takeBack.number(total))}
          value={confirmation}
          onChange={({ currentTarget }) => setConfirmation(currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Group justify="end">
        <Button variant="default" onClick={onClose}>
          {isChecked ? common.cancel : common.close}
        </Button>
        {isDryRun && (
          <Button color="red.9" disabled={!isChecked || total === 0 || !isConfirmed} onClick={() => setDryRun(false)}>
            {takeBack.action}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Begins with the dry run, and stops if the dialog is closed. */
function useUndo(given: SavedRun, isDryRun: boolean): UndoState {
  const client = useQueryClient()
  // The record changes while it is taken back, which must not begin it anew.
  const [run] = useState(given)
  const [shown, setShown] = useState({ isDryRun, state: newUndoState() })
  useEffect(() => {
    const controller = new AbortController()
    const show = (state: UndoState) => setShown({ isDryRun, state })
    const start = async () => {
      await startUndo({ run, isDryRun, signal: controller.signal, show })
      if (!isDryRun) await client.invalidateQueries()
    }
    void start()
    return () => controller.abort()
  }, [run, isDryRun, client])
  return shown.isDryRun === isDryRun ? shown.state : newUndoState()
}

function Running({ state, isDryRun }: { state: UndoState; isDryRun: boolean }) {
  const { takeBack } = useWords()
  return (
    <div>
      <Text size="sm" role="status">
        {isDryRun ? takeBack.checking : takeBack.running}
      </Text>
      <Progress value={state.share * 100} aria-label={takeBack.progress} />
      {!isDryRun && (
        <Text size="sm" c="dimmed">
          {takeBack.stopHint}
        </Text>
      )}
    </div>
  )
}

function Counts({ state: { counts, stayCount } }: { state: UndoState }) {
  const { takeBack } = useWords()
  const { erased, closed, people, accesses } = counts
  const shown = Object.entries({ erased, closed, people, accesses, stays: stayCount })
  const labels: Record<string, string> = takeBack.counts
  return (
    <SimpleGrid cols={{ base: 2, xs: shown.length }} component="dl" m={0}>
      {shown.map(([name, n]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {labels[name]}
          </Text>
          <Text component="dd" m={0} size="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {takeBack.number(n)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

function Stays({ state: { stays, stayCount } }: { state: UndoState }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  if (stayCount === 0) return null
  const { takeBack } = words
  const textOf = ({ code, about }: Stay): string => {
    if (code === 'field_changed' || code === 'rejected') return takeBack.stays[code](labelOf(about))
    return code === 'access_changed' ? takeBack.stays.access_changed(about) : takeBack.stays[code]
  }
  return (
    <section aria-label={takeBack.staysTitle}>
      <Text fw={600}>{takeBack.staysTitle}</Text>
      {stays.map((stay) => (
        <Text key={`${stay.line} ${stay.code} ${stay.about}`} size="sm">
          <b>{stay.person}</b> · {words.import.row(stay.line)} · {textOf(stay)}
        </Text>
      ))}
      {stayCount > stays.length && (
        <Text size="sm" c="dimmed">
          {takeBack.moreStays(stayCount - stays.length)}
        </Text>
      )}
    </section>
  )
}
