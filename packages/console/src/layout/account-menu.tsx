import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { CheckIcon, PersonIcon, SignOutIcon } from '@primer/octicons-react'
import { useSession } from '../session.tsx'
import { LANGUAGES, type Language, useLanguage, useWords } from '../words/index.tsx'

export function AccountMenu() {
  const words = useWords()
  const { operator, signOut } = useSession()
  const { language, choose } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = { light: words.nav.light, dark: words.nav.dark, auto: words.nav.system } as const
  const tick = (isChosen: boolean) => (isChosen ? <CheckIcon size={16} aria-hidden /> : null)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.nav.account}>
          <PersonIcon aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {operator && <Menu.Label>{words.nav.signedInAs(operator.name, words.roles[operator.role])}</Menu.Label>}
        <Menu.Item leftSection={<SignOutIcon size={16} aria-hidden />} onClick={signOut}>
          {words.nav.signOut}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{words.nav.theme}</Menu.Label>
        {entriesOf(schemes).map(([scheme, label]) => (
          <Menu.Item key={scheme} rightSection={tick(colorScheme === scheme)} onClick={() => setColorScheme(scheme)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{words.nav.language}</Menu.Label>
        {entriesOf<Language, string>(LANGUAGES).map(([tag, name]) => (
          <Menu.Item key={tag} lang={tag} rightSection={tick(language === tag)} onClick={() => choose(tag)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function entriesOf<Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] {
  const entries: [Key, Value][] = []
  for (const key in record) entries.push([key, record[key]])
  return entries
}
