import type { Cv } from "#contract/site/cv.ts";

/** A CV in which nothing is said yet, as the server answers it. */
export const EMPTY_CV: Cv = {
  lang: "en",
  has_sample: false,
  name: "",
  title: "",
  tagline: "",
  description: "",
  photo: null,
  photo_sizes: [],
  email: null,
  website: null,
  address: { province: "", district: "", street: null, postal_code: null, country: null, country_code: null },
  links: [],
  confidences: [],
  experience: [],
  education: [],
  certificates: [],
  sections: [],
};
