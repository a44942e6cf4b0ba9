import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Operators() {
  const words = useWords()
  return <Screen title={words.operators.title}>{null}</Screen>
}
