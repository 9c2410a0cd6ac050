const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Whether a text is a language tag, as `pt-BR` is: documents in a language without texts are printed in English. */
export const isLocale = (text: string): boolean => LANGUAGE_TAG.test(text);
