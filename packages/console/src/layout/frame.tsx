import { Alert, AppShell, Burger, Button, Container, Group } from '@mantine/core'
import { useDisclosure, useElementSize } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { type MouseEvent, Suspense, useRef } from 'react'
import { SignIn } from '../screens/sign-in.tsx'
import { UserSelection } from '../screens/users/selection.tsx'
import { useSession } from '../session.tsx'
import { useWords } from '../words/index.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { BulkProgressBar } from './bulk-progress.tsx'
import classes from './frame.module.css'
import { MainMenu } from './main-menu.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Loading } from '../parts/loading.tsx'
import { StorePicker } from './store-picker.tsx'
import { useSearchKey } from './use-search-key.ts'

/** With a store's name of one line. */
const HEADER_HEIGHT = 56

/** The frame around every screen. It shows the sign-in form instead of the screen while nobody is signed in. */
export function Frame() {
  const words = useWords()
  const { operator, state } = useSession()
  const [isOpen, { close, toggle }] = useDisclosure()
  useSearchKey()
  const content = useRef<HTMLElement>(null)
  // The page begins below the header, which grows with the lines of a store's name.
  const { ref: header, height: headerHeight } = useElementSize()

  /**
   * The part of the URL after `#` selects the screen. Following the link would leave the screen, so only the focus is
   * moved.
   */
  function skipToContent(event: MouseEvent) {
    event.preventDefault()
    content.current?.focus()
  }

  if (state === 'unknown') return <Opening />
  if (state === 'signed_out') return <SignIn />
  return (
    <AppShell
      header={{ height: Math.max(HEADER_HEIGHT, headerHeight) }}
      navbar={{ width: 230, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className={classes['skip']} href="#content" onClick={skipToContent}>
        {words.common.skipToContent}
      </a>
      <AppShell.Header>
        <div ref={header}>
          <Group mih={HEADER_HEIGHT} px="md" py={6} gap="sm" wrap="nowrap" justify="space-between">
            <Group gap="sm" wrap="nowrap" miw={0}>
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="md"
                size="sm"
                aria-label={words.common.openMenu}
                aria-expanded={isOpen}
              />
              <Brand />
              <StorePicker />
            </Group>
            <AccountMenu />
          </Group>
        </div>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={words.nav.main}>
        <MainMenu onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main ref={content} id="content" tabIndex={-1} className={classes['content']}>
        {operator?.role === 'viewer' && (
          <Alert mb="md" color="gray">
            {words.failure.viewer}
          </Alert>
        )}
        <BulkProgressBar />
        <TroubleNote />
        <UserSelection>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </UserSelection>
      </AppShell.Main>
    </AppShell>
  )
}

/** Is shown until it is known who is signed in, or says why it cannot be known. */
function Opening() {
  const { problem, askAgain, trouble } = useSession()
  return (
    <Container component="main" size="sm" py="xl">
      <TroubleNote />
      <FailureNote error={problem} retry={askAgain} />
      {!problem && trouble === undefined && <Loading />}
    </Container>
  )
}

function TroubleNote() {
  const { failure } = useWords()
  const { trouble } = useSession()
  if (trouble === undefined) return null
  if (trouble === 'access_ended') return <AccessEnded />
  return (
    <Alert mb="md" color="red" role="alert" title={failure.outage}>
      {failure.outageHint}
    </Alert>
  )
}

/** The screen stays as it is, so that nothing that was typed is lost before the operator has read this. */
function AccessEnded() {
  const { failure } = useWords()
  return (
    <Alert mb="md" color="red" role="alert" title={failure.accessEnded}>
      <Group justify="space-between">
        {failure.accessEndedHint}
        <Button size="xs" onClick={() => globalThis.location.reload()}>
          {failure.signInAgain}
        </Button>
      </Group>
    </Alert>
  )
}
