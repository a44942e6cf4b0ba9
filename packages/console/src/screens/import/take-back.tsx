import { Button, type ButtonProps, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Stay } from '../../import/engine.ts'
import type { SavedRun } from '../../import/saved-runs.ts'
import { newUndoState, startUndo, type UndoState } from '../../import/undo-run.ts'
import { Counts } from '../../parts/counts.tsx'
import { Dialog, DialogFooter } from '../../parts/dialog.tsx'
import { useWords } from '../../words/index.tsx'
import { ProblemNote } from './problem-note.tsx'
import { useFieldLabel } from './use-field-label.ts'

/** More than so many changes need the number typed. */
const UNCONFIRMED = 100

const SHOWN = ['erased', 'closed', 'people', 'accesses', 'stays'] as const

/** Of more people than this who stay for the same reason, the reason is said once. */
const SAID_ONE_BY_ONE = 3
const NAMED = 10

interface Props {
  run: SavedRun
  isOpen: boolean
  onClose: () => void
}

/** Takes an import back: says what would happen, and then does it. */
function TakeBack({ run, isOpen, onClose }: Props) {
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
  const shown = { ...counts, stays: stayCount }
  const { counts: labels } = takeBack
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
      {status !== 'running' && !isOld && (
        <Counts counts={SHOWN.map((name) => ({ label: labels[name], n: shown[name] }))} />
      )}
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
      <DialogFooter>
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
      </DialogFooter>
    </Stack>
  )
}

/** Opens the dialog. It is not shown for an import that has nothing to take back. */
export function TakeBackButton({
  run,
  onClose,
  size,
}: {
  run: SavedRun
  onClose: () => void
  size?: ButtonProps['size']
}) {
  const { takeBack } = useWords()
  const [isOpen, setOpen] = useState(false)
  if (!mayTakeBack(run) && !isOpen) return null
  return (
    <>
      <Button
        variant="default"
        {...(size !== undefined && { size })}
        aria-label={takeBack.actionOf(run.fileName)}
        onClick={() => setOpen(true)}
      >
        {takeBack.action}
      </Button>
      <TakeBack
        run={run}
        isOpen={isOpen}
        onClose={() => {
          setOpen(false)
          onClose()
        }}
      />
    </>
  )
}

/** A run that has not ended may have sent a batch that it does not count. */
function mayTakeBack({ state, undo }: SavedRun): boolean {
  const { created, changed, uncompared, next, rows } = state
  return (created + changed + uncompared > 0 || next < rows) && (undo === undefined || undo.stays > 0)
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
      {[...Map.groupBy(stays, textOf)].map(([text, same]) =>
        same.length > SAID_ONE_BY_ONE ? (
          <Text key={text} size="sm">
            <b>{takeBack.number(same.length)}</b> · {text}{' '}
            <Text span inherit c="dimmed">
              {same
                .slice(0, NAMED)
                .map(({ person }) => person)
                .join(', ')}{' '}
              {same.length > NAMED && words.users.andMore(same.length - NAMED)}
            </Text>
          </Text>
        ) : (
          same.map(({ line, person }) => (
            <Text key={line} size="sm">
              <b>{person}</b> · {words.import.row(line)} · {text}
            </Text>
          ))
        ),
      )}
      {stayCount > stays.length && (
        <Text size="sm" c="dimmed">
          {takeBack.moreStays(stayCount - stays.length)}
        </Text>
      )}
    </section>
  )
}
