import { Alert, Button, Card, Group, Progress, Radio, Stack, Text, Title } from '@mantine/core'
import { DownloadIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { choiceIn } from '../../address.ts'
import type { FormErrors } from '../../forms/form-errors.ts'
import { useInvalidFocus } from '../../forms/use-invalid-focus.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { RequestId } from '../../parts/request-id.tsx'
import { sizeText } from '../../parts/size-text.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import type { FileRequest } from './download.ts'
import { type Download, useDownload } from './use-download.ts'

const FORMATS = ['xlsx', 'csv'] as const
export type Format = (typeof FORMATS)[number]

interface Props {
  title: string
  hint: string
  action: string
  fileName: (format: Format) => string
  requests: Record<Format, FileRequest>
  /** All formats, unless the filters cannot be sent for one of them. */
  formats?: readonly Format[]
  /** If the filters are texts, they are checked before anything is requested. */
  errors?: FormErrors
  children: ReactNode
}

/** A card with the filters of a download, its progress and its result. */
export function DownloadCard({ title, hint, action, fileName, requests, formats = FORMATS, errors, children }: Props) {
  const words = useWords()
  const [chosen, setFormat] = useState<Format>('xlsx')
  const format = formats.includes(chosen) ? chosen : 'xlsx'
  const { download, start, stop } = useDownload(requests[format])
  const [rejections, setRejections] = useState(0)
  const form = useInvalidFocus(rejections || undefined)
  const isRunning = download.state === 'running'
  return (
    <Card withBorder component="section" aria-label={title}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isRunning) return
          if (errors === undefined || errors.check()) start(fileName(format))
          else setRejections(rejections + 1)
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </div>
          {children}
          <Radio.Group
            label={words.export.format}
            value={format}
            onChange={(next) => setFormat(choiceIn(next, FORMATS) ?? format)}
          >
            <Stack gap="xs" mt={4}>
              {formats.map((one) => (
                <Radio
                  key={one}
                  value={one}
                  label={words.export.formats[one].name}
                  description={words.export.formats[one].hint}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Outcome download={download} />
          <Group>
            {isRunning ? (
              <Button variant="default" onClick={stop}>
                {words.export.stop}
              </Button>
            ) : (
              <Button type="submit" leftSection={<DownloadIcon size={18} aria-hidden />}>
                {action}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

function Outcome({ download }: { download: Download }) {
  const words = useWords()
  const { language } = useLanguage()
  if (download.state === 'idle') return null
  if (download.state === 'stopped') return <Alert color="gray">{words.export.stopped}</Alert>
  if (download.state === 'running') {
    return (
      <Stack gap={4}>
        <Text size="sm">{words.export.running(sizeText(download.bytes, language))}</Text>
        <Progress.Root>
          <Progress.Section value={100} animated aria-label={words.export.runningLabel} />
        </Progress.Root>
      </Stack>
    )
  }
  if (download.state === 'done') {
    return (
      <Alert color="green" role="status">
        {words.export.done(download.name, sizeText(download.bytes, language))}
      </Alert>
    )
  }
  const { failure } = download
  const { cut, not_written } = words.export
  const titles: Record<string, string> = { cut, not_written }
  const title = titles[failure.code]
  if (title === undefined) return <FailureNote error={failure} />
  return (
    <Alert color="red" variant="light" role="alert" title={title}>
      <RequestId id={failure.requestId} />
    </Alert>
  )
}
