import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Stores() {
  const words = useWords()
  return <Screen title={words.stores.title}>{null}</Screen>
}
