import { SimpleGrid, Text } from '@mantine/core'
import { useLanguage } from '../words/index.tsx'

/** Numbers in large digits, each below what it counts. */
export function Counts({ counts }: { counts: { label: string; n: number }[] }) {
  const { language } = useLanguage()
  return (
    <SimpleGrid cols={{ base: 2, xs: counts.length }} component="dl" m={0}>
      {counts.map(({ label, n }) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} size="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {n.toLocaleString(language)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}
