import { Alert, AppShell, Burger, Center, Group, Loader } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { SignIn } from '../screens/sign-in.tsx'
import { useSession } from '../session.tsx'
import { useWords } from '../words/index.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { MainMenu } from './main-menu.tsx'
import { StorePicker } from './store-picker.tsx'

/** Around every screen: who is not signed in signs in first. */
export function Frame() {
  const words = useWords()
  const { operator, isSignedIn, canChange } = useSession()
  const [isOpen, { close, toggle }] = useDisclosure()

  if (!isSignedIn) return <SignIn />
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={words.common.openMenu} />
            <Brand />
            <StorePicker />
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={words.nav.main}>
        <MainMenu onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        {operator !== undefined && !canChange && (
          <Alert mb="md" color="gray">
            {words.failure.viewer}
          </Alert>
        )}
        <Suspense
          fallback={
            <Center p="xl">
              <Loader aria-label={words.common.loading} />
            </Center>
          }
        >
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  )
}
