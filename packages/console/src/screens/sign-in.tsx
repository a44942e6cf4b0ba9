import { Alert, Anchor, Button, Center, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { tokenProblem } from '../../../import/token-text.ts'
import type { RegistrarError } from 'registrar-client'
import { toFailure } from '../api/failure.ts'
import { isBlank } from '../forms/checks.ts'
import { useInvalidFocus } from '../forms/use-invalid-focus.ts'
import icon from '../icon.svg'
import { FailureNote } from '../parts/failure-note.tsx'
import { useSession } from '../session.tsx'
import { type Words, useWords } from '../words/index.tsx'

export function SignIn() {
  const words = useWords()
  const { signIn, wasRejected } = useSession()
  const [token, setToken] = useState('')
  const [failure, setFailure] = useState<RegistrarError>()
  const [isBusy, setIsBusy] = useState(false)
  const [invalidAttempts, setInvalidAttempts] = useState(0)
  const form = useInvalidFocus(invalidAttempts || undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useDocumentTitle(`${words.signIn.title} · ${words.product}`)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    if (isBlank(token) || tokenProblem(token.trim())) {
      setInvalidAttempts(invalidAttempts + 1)
      return
    }
    setIsBusy(true)
    try {
      await signIn(token.trim())
    } catch (error) {
      setFailure(toFailure(error))
      setIsBusy(false)
    }
  }

  const textError = invalidAttempts > 0 ? textErrorOf(token, words) : undefined
  const tokenError = textError ?? (failure && tokenErrorOf(failure, words))
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
          <Stack>
            <Group gap="sm">
              <img src={icon} alt="" width={34} height={34} />
              <Title order={1} size="h3">
                {words.console}
              </Title>
            </Group>
            {wasRejected && <Alert color="yellow">{words.signIn.signedOut}</Alert>}
            <PasswordInput
              label={words.signIn.token}
              description={words.signIn.tokenHint}
              value={token}
              onChange={({ currentTarget }) => setToken(currentTarget.value)}
              autoComplete="off"
              ref={input}
              required
              withAsterisk={false}
              error={tokenError}
              // Mantine leaves this out for a password, and a screen reader would not say that the input is invalid.
              aria-invalid={tokenError !== undefined}
              visibilityToggleButtonProps={{ 'aria-label': words.signIn.showToken }}
            />
            {failure && tokenError === undefined && <FailureNote error={failure} />}
            <Button type="submit" loading={isBusy}>
              {words.signIn.submit}
            </Button>
            <Text size="sm">{words.signIn.noToken}</Text>
            <Text size="sm">
              <Anchor href="/docs">{words.nav.reference}</Anchor>
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}

/** A header cannot carry every character, and the browser would only say that the request failed. */
function textErrorOf(token: string, { errors, signIn }: Words): string | undefined {
  if (isBlank(token)) return errors.required
  const problem = tokenProblem(token.trim())
  return problem && signIn.badCharacter(problem.character, problem.position)
}

function tokenErrorOf({ status }: RegistrarError, { signIn }: Words): string | undefined {
  if (status === 401) return signIn.rejected
  return status === 404 ? signIn.noOperators : undefined
}
