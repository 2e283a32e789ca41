// What the Gemini API refuses, as its documentation and its error messages say.
type Fields = { readonly [field: string]: unknown };

/** The first rule that a request breaks, in the words of the API; `null` for one that it takes. */
export function googleRefusal(body: unknown, needsSignatures: boolean): string | null {
  const {
    contents,
    tools = [],
    systemInstruction,
  } = body as {
    contents: { role: string; parts: Fields[] }[];
    tools?: { functionDeclarations: Fields[] }[];
    systemInstruction?: { parts: Fields[] };
  };
  if (!Array.isArray(contents) || contents.length === 0) return "contents is not specified";
  if (contents[0]!.role !== "user") return "Please ensure that the conversation begins with a user turn.";
  if (contents.at(-1)!.role !== "user")
    return "Please ensure that multiturn requests end with a user turn or a function response.";
  for (const [at, { role, parts }] of contents.entries()) {
    if (role !== "user" && role !== "model") return "Please use a valid role: user, model.";
    if (contents[at - 1]?.role === role)
      return "Please ensure that multiturn requests alternate between user and model.";
    if (!Array.isArray(parts) || parts.length === 0)
      return "Unable to submit request because it must have a parts field.";
    for (const part of parts) {
      const problem = partProblem(part, role);
      if (problem) return `contents[${at}]: ${problem}`;
    }
    const calls = parts.filter((part) => part.functionCall);
    const responses = (contents[at + 1]?.parts ?? []).filter((part) => part.functionResponse);
    if (calls.length !== responses.length && (calls.length > 0 || responses.length > 0)) {
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
    for (const [index, { functionCall }] of calls.entries()) {
      const [call, response] = [functionCall as Fields, responses[index]!.functionResponse as Fields];
      if (call.name !== response.name) return "function response parts do not match the calls";
      if (call.id !== response.id) return "function response ids do not match the calls";
    }
    if (needsSignatures && calls.length > 0 && !calls[0]!.thoughtSignature) {
      return `Function call is missing a thought_signature in functionCall parts: ${String((calls[0]!.functionCall as Fields).name)}`;
    }
    const firstOther = parts.findIndex((part) => !part.functionResponse);
    if (firstOther >= 0 && parts.slice(firstOther).some((part) => part.functionResponse))
      return "function responses must come first";
  }
  for (const part of systemInstruction?.parts ?? [])
    if (String(part.text).trim() === "") return "systemInstruction is empty";
  for (const { functionDeclarations } of tools) {
    for (const declaration of functionDeclarations) {
      if (!/^[a-zA-Z_][\w.:-]{0,127}$/.test(String(declaration.name)))
        return `Invalid function name: ${String(declaration.name)}`;
      if (declaration.parameters && declaration.parametersJsonSchema)
        return "parameters and parametersJsonSchema are exclusive";
    }
  }
  return null;
}

function partProblem(part: Fields, role: string): string | null {
  const kinds = ["text", "inlineData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult"];
  if (kinds.filter((kind) => part[kind] !== undefined).length !== 1)
    return "part.data: required oneof field must have one initialized field";
  if (part.text !== undefined && part.text === "" && !part.thoughtSignature)
    return "Unable to submit request because it has an empty text parameter.";
  if (part.inlineData) {
    const { mimeType } = part.inlineData as Fields;
    return /^(image\/(png|jpeg|webp|heic|heif)|application\/pdf|audio\/|video\/)/.test(String(mimeType))
      ? null
      : `Unsupported MIME type: ${String(mimeType)}`;
  }
  if (part.functionCall) {
    const { name, args } = part.functionCall as Fields;
    if (role !== "model") return "function call in a user turn";
    if (!/^[a-zA-Z_][\w.:-]{0,127}$/.test(String(name))) return `Invalid function name: ${String(name)}`;
    return typeof args === "object" && args !== null && !Array.isArray(args)
      ? null
      : "args: Proto field is not repeating";
  }
  if (part.functionResponse) {
    const { response } = part.functionResponse as Fields;
    if (role !== "user") return "function response in a model turn";
    return typeof response === "object" && response !== null && !Array.isArray(response)
      ? null
      : "response: must be a Struct";
  }
  return null;
}
