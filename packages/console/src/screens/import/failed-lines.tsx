import { Group } from '@mantine/core'
import { commonFaults, OWN_TITLES, type Reason } from '../../import/engine.ts'
import { type Failed, failedSheet, failedText } from '../../import/file.ts'
import type { FailedLines as Lines } from '../../import/run-state.ts'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { TextLink } from '../../parts/links.tsx'
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
  const store = useStore()
  if (lines.size === 0) return null
  const { faults, covered, single } = groupFaults(lines)
  const shown = [...single.take(SHOWN)]
  return (
    <RowCard
      title={title}
      hint={words.import.downloadHint}
      download={<Downloads {...download} />}
      about={words.import.reasons}
      rows={[
        ...faults.map(({ reason, count, line }) => ({
          line,
          person: words.import.rowsFrom(count),
          content: <div>{reasonText(reason, words)}</div>,
        })),
        ...shown.map(([line, { person, reasons, owner }]) => ({
          line,
          person,
          content: (
            <div>
              {reasons.map((reason) => (
                <div key={reasonText(reason, words)}>{reasonText(reason, words)}</div>
              ))}
              {owner !== undefined && (
                <TextLink size="sm" underline="always" to="/s/$store/users/$id" params={{ store, id: owner }}>
                  {words.users.openExisting}
                </TextLink>
              )}
            </div>
          ),
        })),
      ]}
      more={lines.size > shown.length + covered ? words.import.more(lines.size - shown.length - covered) : undefined}
    />
  )
}

/** What several rows have in common is one thing to correct. Lines that fail for the same reasons share one array. */
function groupFaults(lines: Lines) {
  const groups = new Map<Reason[], { line: number; count: number }>()
  for (const [line, { reasons }] of lines) {
    const group = groups.get(reasons)
    if (group) group.count++
    else groups.set(reasons, { line, count: 1 })
  }
  const common = commonFaults()
  for (const [reasons, { line, count }] of groups) common.add(line, reasons, count)
  const coveredGroups = new Map([...groups].filter(([reasons]) => common.coverAll(reasons)))
  return {
    faults: common.list().slice(0, SHOWN),
    covered: coveredGroups.values().reduce((sum, { count }) => sum + count, 0),
    single: lines.entries().filter(([, { reasons }]) => !coveredGroups.has(reasons)),
  }
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
