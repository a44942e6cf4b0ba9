import { Button, Divider, Group, Progress, Text, TextInput } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { ArrowLeftIcon } from '@primer/octicons-react'
import { useState } from 'react'
import {
  type BulkChange,
  isRunning,
  type NewBulkChange,
  startBulkChange,
  useBulkChange,
} from '../../api/bulk-changes.ts'
import { type Change, useChange, useIdempotencyKey } from '../../api/changes.ts'
import { useStoreName } from '../../api/stores.ts'
import { Dialog, DialogForm } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { changeOf, kindOf, newDraft } from './change.ts'
import { ChangeForm } from './change-form.tsx'
import { Effects } from './effects.tsx'
import { Examples } from './examples.tsx'
import { FilterText } from './filter-text.tsx'
import {
  bulkFilterOf,
  type BulkScope,
  confirmationFor,
  haveAllEnded,
  isConfirmed,
  lossesOf,
  sameEndFilter,
  seenCounts,
} from './scope.ts'
import { SameToday, TodaysBulkChanges } from './today.tsx'
import { useBulkText } from './use-bulk-text.ts'

interface Props {
  store: string
  /** Undefined while the dialog is closed. It stays mounted then, or it could not return the focus. */
  scope: BulkScope | undefined
  onClose: () => void
  onStarted?: (() => void) | undefined
}

/** Changes many accesses: the operator chooses a change, sees what it would do, and starts it. */
export function BulkDialog({ scope, onClose, ...props }: Props) {
  const { bulk } = useWords()
  // A dialog that is open when it is mounted does not know which element had the focus before, and could not return it.
  const isMounted = useMounted()
  return (
    <Dialog title={bulk.title} isOpen={isMounted && scope !== undefined} onClose={onClose} size="xl">
      {scope && <Steps {...props} scope={scope} onClose={onClose} />}
    </Dialog>
  )
}

interface StepsProps extends Props {
  scope: BulkScope
}

function Steps({ store, scope, onClose, onStarted }: StepsProps) {
  const { bulk } = useWords()
  const zone = useZone()
  // Its times are relative to now. Computed for each attempt, they would make the idempotency key belong to another body.
  const [filter] = useState(() => bulkFilterOf(scope))
  const [now] = useState(() => Date.now())
  const [draft, setDraft] = useState(() => newDraft(zone, scope.kind))
  const [dryRun, setDryRun] = useState<DryRun>()
  const { key: dryRunKey, renew } = useIdempotencyKey()
  const check = useChange({
    change: async (body: NewBulkChange) => {
      const sameEnd = sameEndFilter(body)
      const [{ id }, same] = await Promise.all([
        startBulkChange(store, { ...body, dry_run: true }, dryRunKey),
        sameEnd && startBulkChange(store, { ...body, filter: sameEnd, dry_run: true }, `${dryRunKey}-same-end`),
      ])
      return { id, sameEndId: same?.id, body }
    },
    onDone: (started) => {
      renew()
      setDryRun(started)
    },
  })
  const change = changeOf(draft, haveAllEnded(scope, now), zone)
  if (dryRun) {
    return <Check {...{ store, scope, onClose, onStarted, dryRun }} onBack={() => setDryRun(undefined)} />
  }
  return (
    <DialogForm
      action={bulk.check}
      change={check}
      isDisabled={change === undefined}
      onSubmit={() => change && check.run({ filter, change })}
      onCancel={onClose}
    >
      <Text size="sm">
        {bulk.which}{' '}
        <b>
          <FilterText store={store} filter={filter} />
        </b>
      </Text>
      <ChangeForm
        draft={draft}
        setDraft={setDraft}
        isInvalid={change === undefined}
        mayReopen={
          scope.chosen !== undefined ||
          scope.people !== undefined ||
          scope.filter.state === undefined ||
          scope.filter.state === 'closed'
        }
      />
      <Divider />
      <TodaysBulkChanges store={store} />
    </DialogForm>
  )
}

interface DryRun {
  id: string
  /** That of the accesses that end within the same second afterwards, if a date is set. */
  sameEndId: string | undefined
  body: NewBulkChange
}

interface CheckProps extends StepsProps {
  dryRun: DryRun
  onBack: () => void
}

/** Shows how many accesses would change, and starts the bulk change. */
function Check({ store, scope, dryRun: { id, sameEndId, body }, onClose, onStarted, onBack }: CheckProps) {
  const { bulk } = useWords()
  const text = useBulkText(store)
  const kind = kindOf(body.change)
  const storeName = useStoreName(store)
  const [typed, setTyped] = useState('')
  const { key } = useIdempotencyKey()
  const { data: counted, error, refetch } = useBulkChange(store, id)
  const { data: sameEnd, ...same } = useBulkChange(store, sameEndId)
  const isCounted = counted && !isRunning(counted) && (sameEndId === undefined || (sameEnd && !isRunning(sameEnd)))
  const start: Change<void> = useChange<void, BulkChange>({
    change: () => startBulkChange(store, body, key),
    done: bulk.started,
    onDone: () => {
      onStarted?.()
      onClose()
    },
  })
  const result = isCounted ? seenCounts(counted, sameEnd) : undefined
  const toType = result && confirmationFor(body.filter, result)
  const losses = result ? lossesOf(result.effects) : 0
  return (
    <DialogForm
      action={result ? bulk.start[kind](result.changed) : bulk.startAny}
      change={start}
      isDisabled={!result || result.changed === 0 || (toType !== undefined && !isConfirmed(typed, toType, storeName))}
      isDangerous={losses > 0}
      onSubmit={() => start.run()}
      onCancel={onClose}
    >
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<ArrowLeftIcon size={14} aria-hidden />}
        onClick={onBack}
      >
        {bulk.back}
      </Button>
      <div>
        <Text fw={600}>{text.change(body.change)}</Text>
        <Text size="sm" c="dimmed">
          <FilterText store={store} filter={body.filter} />
        </Text>
      </div>
      <FailureNote error={error ?? same.error} retry={() => void Promise.all([refetch(), same.refetch()])} />
      {!result && !error && !same.error && <Counting progress={counted?.progress ?? 0} label={bulk.counting} />}
      {result && (
        <>
          <Text size="lg" fw={600} role="status">
            {bulk.wouldChange(result.changed, result.unchanged)}
          </Text>
          <Effects label={bulk.effectsHead} effects={result.effects} />
        </>
      )}
      {toType && (
        <TextInput
          label={'losses' in toType ? bulk.typeLosses(toType.losses) : bulk.typeToConfirm(toType.changed, storeName)}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
        />
      )}
      {result && result.changed > 0 && (
        <>
          <SameToday store={store} body={body} />
          <Examples store={store} scope={scope} change={body.change} losses={losses} />
        </>
      )}
      <Text size="sm" c="dimmed">
        {bulk.runsAlone}
      </Text>
    </DialogForm>
  )
}

function Counting({ progress, label }: { progress: number; label: string }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" role="status">
        {label}
      </Text>
      <Progress.Root flex={1}>
        <Progress.Section value={progress} aria-label={label} />
      </Progress.Root>
    </Group>
  )
}
