/** Asks the consumer to look after these endpoints. What cannot be sent is not lost: the sweep finds it in D1. */
export async function wake(queue: Queue, endpoints: readonly number[]): Promise<void> {
  await queue.sendBatch(endpoints.map((endpoint_id) => ({ body: { endpoint_id } })))
}
