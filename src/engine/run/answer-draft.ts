/** The final answer as far as it is known. */
export class AnswerDraft {
  /** What the model said last. */
  text = "";
  /** The part of it that was cut off by the output limit and is being continued. */
  before = "";
  /** The validated structured answer, once there is one. */
  output: { readonly value: unknown } | null = null;
  /** Why the text does not fit the output schema, in the model's words. */
  problem = "";
}
