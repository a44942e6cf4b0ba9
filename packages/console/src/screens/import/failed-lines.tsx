import { Group } from '@mantine/core'
import { OWN_TITLES, type Reason } from '../../import/engine.ts'
import { type Failed, failedSheet, failedText } from '../../import/file.ts'
import type { FailedLines as Lines } from '../../import/run-state.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { reasonText } from './reason-text.ts'
import { RowCard, SHOWN } from './row-card.tsx'

interface Props extends Failed {
  title: string
  fileName: string
  lines: Lines
}

/** Shows the failed lines with their reasons, and offers all of them as a file. */
export function FailedLines({ title, lines, ...download }: Props) {
  const words = useWords()
  if (lines.size === 0) return null
  return (
    <RowCard
      title={title}
      hint={words.import.downloadHint}
      download={<Downloads {...download} />}
      about={words.import.reasons}
      rows={[...lines.entries().take(SHOWN)].map(([line, { person, reasons }]) => ({
        line,
        person,
        content: (
          <div>
            {reasons.map((reason) => (
              <div key={reasonText(reason, words)}>{reasonText(reason, words)}</div>
            ))}
          </div>
        ),
      }))}
      more={lines.size > SHOWN ? words.import.more(lines.size - SHOWN) : undefined}
    />
  )
}

/** A workbook for whoever corrects the lines, and the format of the file for a program. */
function Downloads({ fileName, ...failed }: Failed & { fileName: string }) {
  const words = useWords()
  const { language } = useLanguage()
  const { format } = failed.inspection
  const [row, reasons] = OWN_TITLES[language]
  const textOf = (reason: Reason): string => reasonText(reason, words)
  const titles = { row, reasons, sheet: words.import.failedSheet }
  return (
    <Group gap="xs">
      {format === 'csv' && (
        <DownloadButton
          label={words.import.downloads.xlsx}
          name={`${fileName}.failed.xlsx`}
          make={() => failedSheet(failed, { textOf, titles })}
        />
      )}
      <DownloadButton
        label={words.import.downloads[format]}
        name={`${fileName}.failed.${format}`}
        make={() => failedText(failed, textOf)}
      />
    </Group>
  )
}
