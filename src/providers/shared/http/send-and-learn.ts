/**
 * Sends a request in the form `known`. While `learn` finds in a refusal what the model takes instead, it is sent again in
 * that form. Resolves with the reply and the form that was taken.
 *
 * @throws what `send` throws when the refusal teaches nothing, or once the signal has aborted
 */
export async function sendAndLearn<Form, Reply>(
  known: Form,
  send: (form: Form) => Promise<Reply>,
  learn: (error: unknown, form: Form) => Form | null,
  signal: AbortSignal,
): Promise<{ readonly reply: Reply; readonly form: Form }> {
  let form = known;
  while (true) {
    try {
      return { reply: await send(form), form };
    } catch (error) {
      const learned = signal.aborted ? null : learn(error, form);
      if (!learned) throw error;
      form = learned;
    }
  }
}
