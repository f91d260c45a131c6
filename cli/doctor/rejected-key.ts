/** Whether a status says that the key is not accepted. */
export function isKeyRejected(status: number): boolean {
  return status === 401 || status === 403
}
