import { Alert, Button, Group, List, Stack } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { useEffect, useRef } from 'react'
import type { Schemas } from '../../api/client.ts'
import { detailText } from '../../forms/error-text.ts'
import { useWords, type Words } from '../../words/index.tsx'
import type { Result } from './grant-batches.ts'
import { fullName } from './selection.tsx'

/** Shows which accesses could not be granted, and why. */
export function FailedGrants({ failed, onClose }: { failed: Result[]; onClose: () => void }) {
  const words = useWords()
  const note = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone with the form, and the focus with it.
  useEffect(() => note.current?.focus(), [])
  return (
    <Stack>
      <Alert
        ref={note}
        tabIndex={-1}
        color="red"
        variant="light"
        role="alert"
        icon={<AlertIcon aria-hidden />}
        title={words.users.notGranted(failed.length)}
      >
        <List size="sm">
          {failed.map(({ user, product, error }) => (
            <List.Item key={`${user.id} ${product.id}`}>
              <b>{fullName(user)}</b>, {product.name}: {error && reasonOf(error, words)}
            </List.Item>
          ))}
        </List>
      </Alert>
      <Group justify="end">
        <Button onClick={onClose}>{words.common.close}</Button>
      </Group>
    </Stack>
  )
}

function reasonOf({ code, details }: Schemas['BatchError'], words: Words): string {
  const texts = [details].flat().map((detail) => {
    // The user and the product were chosen from lists, so they have been removed since then.
    if (detail?.field === 'user_id') return words.users.gone
    if (detail?.field === 'product_id') return words.errors.fields.product
    return detailText(code, { field: detail?.field ?? '' }, words)
  })
  return texts.join(' ')
}
