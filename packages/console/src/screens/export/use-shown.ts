import { listCustomFields } from '../../api/custom-fields.ts'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import type { Shown } from './sheets.ts'

/** What the workbooks need to know. The custom fields are read when a file is made, not before. */
export function useShown(): () => Promise<Shown> {
  const words = useWords()
  const { language } = useLanguage()
  const store = useStore()
  const zone = useZone()
  return async () => ({ words, language, zone, customFields: await listCustomFields(store) })
}
