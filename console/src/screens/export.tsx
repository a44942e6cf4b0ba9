import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Export() {
  const words = useWords()
  return <Screen title={words.export.title}>{null}</Screen>
}
