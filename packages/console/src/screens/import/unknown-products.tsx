import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { Job } from '../../import/job.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useWords } from '../../words/index.tsx'

/** With an answer, the next one appears. */
const OPEN = 20

/** Asks once for each product that rows name in vain, before anything is sent. */
export function UnknownProducts({ job, chosen }: { job: Job; chosen: ChosenFile }) {
  const words = useWords()
  const { unknown, aliases, products } = chosen
  if (unknown.length === 0 || products.length === 0) return null
  const open = new Set(unknown.filter(([text]) => aliases[text] === undefined).slice(0, OPEN))
  const choices = [
    { value: '', label: words.import.noProduct },
    ...products.map(({ slug, name }) => ({ value: slug, label: name })),
  ]
  const choose = (text: string, slug: string) => {
    const { [text]: _, ...others } = aliases
    job.change({ aliases: slug === '' ? others : { ...others, [text]: slug } })
  }
  return (
    <TitledCard title={words.import.unknownProducts} hint={words.import.unknownProductsHint}>
      <Stack gap="xs">
        {unknown
          .filter((each) => open.has(each) || aliases[each[0]] !== undefined)
          .map(([text, rows]) => (
            <Group key={text} justify="space-between" gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <b>{text}</b> · {words.import.rows(rows)}
              </Text>
              <NativeSelect
                size="xs"
                aria-label={words.import.productFor(text)}
                data={choices}
                value={aliases[text] ?? ''}
                onChange={({ currentTarget }) => choose(text, currentTarget.value)}
              />
            </Group>
          ))}
      </Stack>
    </TitledCard>
  )
}
