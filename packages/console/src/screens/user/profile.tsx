import { Anchor, Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { OPTIONAL_FIELDS, type PlainField } from '../../../../../src/modules/users/user-fields.ts'
import { useCustomFields } from '../../api/custom-fields.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { mailtoOf } from '../../parts/mailto.ts'
import { Moment } from '../../parts/moment.tsx'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { customText, type User } from '../users/draft.ts'

/** Shows all data that the store has about a user. */
export function Profile({ user }: { user: User }) {
  const { user: words, common, fieldNames, nav } = useWords()
  const { language } = useLanguage()
  const shown: Partial<Record<PlainField, ReactNode>> = {
    country: user.country && nameOf(user.country, 'region', language),
    language: nameOf(user.language, 'language', language),
  }
  return (
    <Card withBorder component="section" aria-label={words.profile}>
      <Facts columns={4}>
        <Fact name={fieldNames.email}>
          <Anchor href={mailtoOf(user.email)} inherit>
            {user.email}
          </Anchor>
        </Fact>
        {OPTIONAL_FIELDS.filter((field) => field !== 'avatar').map((field) => (
          <Fact key={field} name={fieldNames[field]}>
            {shown[field] ?? user[field]}
          </Fact>
        ))}
        <Fact name={common.id}>{user.id}</Fact>
        <Fact name={common.created}>
          <Moment at={user.created_at} />
        </Fact>
        <Fact name={common.updated}>
          <Moment at={user.updated_at} />
        </Fact>
        {user.avatar && <Fact name={fieldNames.avatar}>{user.avatar}</Fact>}
      </Facts>
      {user.custom_fields && (
        <>
          <Text component="h2" size="sm" fw={600} mt="lg" mb="xs">
            {nav.customFields}
          </Text>
          <CustomFacts values={user.custom_fields} />
        </>
      )}
    </Card>
  )
}

function CustomFacts({ values }: { values: NonNullable<User['custom_fields']> }) {
  const { common } = useWords()
  const store = useStore()
  const { data = [] } = useCustomFields(store)
  const labels = new Map(data.map(({ key, label }) => [key, label]))
  return (
    <Facts columns={4}>
      {Object.entries(values).map(([key, value]) => (
        <Fact key={key} name={labels.get(key) ?? key}>
          {typeof value === 'boolean' ? (value ? common.yes : common.no) : customText(value)}
        </Fact>
      ))}
    </Facts>
  )
}

/** v3 accepts codes that are not a country or language; Intl throws a RangeError for some of them. */
function nameOf(code: string, type: 'region' | 'language', language: string): string {
  try {
    return new Intl.DisplayNames(language, { type }).of(type === 'language' ? code.toLowerCase() : code) ?? code
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}
