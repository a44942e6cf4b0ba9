import { useEffect, useRef, useState } from 'react'
import type { RegistrarError } from 'registrar-client'
import { toFailure } from '../../api/failure.ts'
import { useLeaveGuard } from '../../parts/use-leave-guard.ts'
import { copyTo, type FileRequest, openTarget } from './download.ts'

export type Download =
  | { state: 'idle' }
  | { state: 'stopped' }
  | { state: 'running'; bytes: number; name: string }
  | { state: 'done'; bytes: number; name: string }
  | { state: 'failed'; failure: RegistrarError }

export function useDownload(request: FileRequest) {
  const [download, setDownload] = useState<Download>({ state: 'idle' })
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  useLeaveGuard(download.state === 'running')

  const start = async (name: string) => {
    const { signal } = (controller.current = new AbortController())
    try {
      const target = await openTarget(name)
      if (target === undefined) return
      setDownload({ state: 'running', bytes: 0, name })
      const onBytes = (bytes: number) => setDownload({ state: 'running', bytes, name })
      const bytes = await copyTo({ request, target, signal, onBytes })
      setDownload({ state: 'done', bytes, name })
    } catch (error) {
      setDownload(signal.aborted ? { state: 'stopped' } : { state: 'failed', failure: toFailure(error) })
    }
  }
  return { download, start: (name: string) => void start(name), stop: () => controller.current?.abort() }
}
