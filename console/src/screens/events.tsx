import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Events() {
  const words = useWords()
  return <Screen title={words.events.title}>{null}</Screen>
}
