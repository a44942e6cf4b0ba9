import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Import() {
  const words = useWords()
  return <Screen title={words.import.title}>{null}</Screen>
}
