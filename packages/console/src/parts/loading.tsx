import { Center, Loader, Overlay } from '@mantine/core'
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

/**
 * Stands in for a dialog until its code is loaded. It covers the page as the dialog will, because in its place in the
 * page it could be out of view, and a button that shows no effect would be pressed again.
 */
export function LoadingDialog() {
  return (
    <Overlay fixed center backgroundOpacity={0.5} zIndex={200}>
      <Loading />
    </Overlay>
  )
}
