import { Center, Loader } from '@mantine/core'
import { useWords } from '../words/index.tsx'

/** The ring that stands in for data until it arrives. Without its role, a screen reader would not read its label. */
export function Loading({ p = 'xl' }: { p?: 'md' | 'xl' }) {
  const { common } = useWords()
  return (
    <Center p={p}>
      <Loader role="status" aria-label={common.loading} />
    </Center>
  )
}
