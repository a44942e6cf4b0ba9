import { Alert, Button, Card, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { FileAddedIcon } from '@primer/octicons-react'
import { useRef, useState } from 'react'
import { useCustomFields } from '../../api/custom-fields.ts'
import { useProducts } from '../../api/products.ts'
import { useAllStores } from '../../api/stores.ts'
import type { Job } from '../../import/job.ts'
import type { Problem } from '../../import/run-state.ts'
import type { DateOrder } from '../../import/engine.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Loading } from '../../parts/loading.tsx'
import { useWords } from '../../words/index.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Records } from './records.tsx'

const ACCEPTED = {
  'text/csv': ['.csv'],
  'text/tab-separated-values': ['.tsv'],
  'text/plain': ['.txt'],
  'application/x-ndjson': ['.ndjson', '.jsonl'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['.xlsm'],
  // These are accepted, too, so that their refusal says how to save them.
  'application/vnd.ms-excel': ['.xls', '.xlsb'],
  'application/vnd.oasis.opendocument.spreadsheet': ['.ods'],
}

/** A button is as wide as its text. */
const START = { alignSelf: 'start' } as const

interface Props {
  store: string
  job: Job
  problem: Problem | undefined
  reading: number | undefined
}

export function ChooseFile({ store, job, problem, reading }: Props) {
  const words = useWords()
  // The columns are mapped to these, so no file can be chosen before they are known.
  const fields = useCustomFields(store)
  const products = useProducts(store)
  const stores = useAllStores()
  const error = fields.error ?? products.error ?? stores.error
  const [isWrongType, setWrongType] = useState(false)
  const openRef = useRef<() => void>(null)

  if (reading !== undefined) {
    return (
      <Card withBorder>
        <Text mb="xs">{words.import.reading}</Text>
        <Progress value={reading * 100} aria-label={words.import.reading} />
        <Button variant="default" mt="sm" onClick={() => job.stopReading()}>
          {words.import.stopReading}
        </Button>
      </Card>
    )
  }
  if (!fields.data || !products.data || !stores.data) {
    const retry = () =>
      [fields, products, stores].filter((query) => query.error).forEach((query) => void query.refetch())
    return error ? <FailureNote error={error} retry={retry} /> : <Loading />
  }
  const record = stores.data.find(({ id }) => id === store)
  const facts = {
    customFields: fields.data,
    products: products.data,
    dates: orderIn(record?.language),
    timeZone: zoneOf(record),
  }
  return (
    <Stack gap="lg">
      <ProblemNote title={words.import.unreadable} problem={problem} />
      {problem?.code === 'file' && problem.problem.code === 'too_large' && (
        <Button variant="default" onClick={() => void job.correct({ largeFile: true })} style={START}>
          {words.import.readLarge}
        </Button>
      )}
      {problem?.code === 'file' && problem.problem.code === 'all_hidden' && (
        <Button variant="default" onClick={() => void job.correct({ hiddenRows: true })} style={START}>
          {words.import.readHidden}
        </Button>
      )}
      {isWrongType && <Alert color="red" role="alert" title={words.import.wrongType} />}
      <Dropzone
        onDrop={([file]) => {
          setWrongType(false)
          if (file) void job.choose(file, facts)
        }}
        onReject={() => setWrongType(true)}
        accept={ACCEPTED}
        multiple={false}
        openRef={openRef}
        activateOnClick={false}
        activateOnKeyboard={false}
        inputProps={{ 'aria-label': words.import.chooseFile }}
      >
        <Stack align="center" gap="sm" py="xl">
          <FileAddedIcon size={40} aria-hidden />
          <Text fw={500} ta="center">
            {words.import.drop}
          </Text>
          <Button onClick={() => openRef.current?.()} style={{ pointerEvents: 'all' }}>
            {words.import.chooseFile}
          </Button>
          <Text size="sm" c="dimmed" ta="center" maw={520}>
            {words.import.dropHint}
          </Text>
        </Stack>
      </Dropzone>
      <Records store={store} />
    </Stack>
  )
}

/** The screens of a store are shown only if the browser knows its zone. A service without zones counts in UTC. */
function zoneOf(record: object | undefined): string {
  return record !== undefined && 'time_zone' in record && typeof record.time_zone === 'string'
    ? record.time_zone
    : 'UTC'
}

/** A file is proposed to be read as the people of the store write dates. */
function orderIn(language: string | undefined): DateOrder {
  return language === 'EN' ? 'mdy' : 'dmy'
}
