import { Button } from '@mantine/core'
import { DownloadIcon } from '@primer/octicons-react'
import { useMutation } from '@tanstack/react-query'
import { FailureNote } from './failure-note.tsx'

interface Props {
  label: string
  name: string
  make: () => Promise<Blob>
  size?: 'xs' | 'sm'
}

/** Makes a file in the browser and saves it. */
export function DownloadButton({ label, name, make, size = 'sm' }: Props) {
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => save(await make(), name) })
  return (
    <>
      <Button
        variant="default"
        size={size}
        loading={isPending}
        leftSection={<DownloadIcon size={16} aria-hidden />}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      <FailureNote error={error} />
    </>
  )
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the URL after the click, and the bytes stay in memory until it is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
