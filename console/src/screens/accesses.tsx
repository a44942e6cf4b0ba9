import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Accesses() {
  const words = useWords()
  return <Screen title={words.accesses.title}>{null}</Screen>
}
