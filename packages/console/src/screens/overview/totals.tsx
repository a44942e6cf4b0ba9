import { Card, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { TextLink } from '../../parts/links.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'

/** The numbers of the store, each with a link to the list that it counts. */
export function Totals({ store, totals }: { store: string; totals: Schemas['Stats']['totals'] }) {
  const { overview } = useWords()
  const { language } = useLanguage()
  const number = (n: number) => n.toLocaleString(language)
  const accesses = { to: '/s/$store/accesses', params: { store } } as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <Total title={overview.users}>
        <TextLink
          inherit
          to="/s/$store/users"
          params={{ store }}
          aria-label={`${overview.users}: ${number(totals.users)}`}
        >
          {number(totals.users)}
        </TextLink>
      </Total>
      <Total title={overview.accesses}>
        <TextLink inherit {...accesses} aria-label={`${overview.accesses}: ${number(totals.accesses)}`}>
          {number(totals.accesses)}
        </TextLink>
      </Total>
      <Total title={overview.inForce}>
        <TextLink
          inherit
          {...accesses}
          search={{ state: 'in_force' }}
          aria-label={`${overview.inForce}: ${number(totals.in_force)}`}
        >
          {number(totals.in_force)}
        </TextLink>
      </Total>
      <Total title={overview.endingSoon}>
        <TextLink
          inherit
          {...accesses}
          search={{ state: 'in_force', due: '7' }}
          aria-label={`${overview.endingSoon}: ${number(totals.ending_in_7_days)}`}
        >
          {number(totals.ending_in_7_days)}
        </TextLink>
      </Total>
    </SimpleGrid>
  )
}

function Total({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text fw={600} fz={26} lh={1.3} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </Card>
  )
}
