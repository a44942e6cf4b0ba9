import { Button } from '@mantine/core'
import { Empty } from '../parts/empty.tsx'
import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

/**
 * Shown instead of a screen or dialog whose code could not be loaded, or that failed. Without it, the router replaces
 * the whole console by a message in English.
 */
export function Broken() {
  const { broken } = useWords()
  return (
    <Screen title={broken.title}>
      <Empty text={broken.text}>
        <Button onClick={() => globalThis.location.reload()}>{broken.reload}</Button>
      </Empty>
    </Screen>
  )
}
