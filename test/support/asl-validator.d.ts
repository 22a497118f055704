declare module 'asl-validator' {
  interface Result {
    readonly isValid: boolean;
    readonly errors: readonly { readonly Message: string }[];
  }
  export default function validate(definition: object, options?: object): Result;
}
