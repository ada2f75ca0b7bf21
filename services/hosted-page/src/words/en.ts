import { datesIn } from './dates.ts';
import type { SentenceParts } from './sentence.ts';

/** Everything that a page says in English; the other languages have the same shape. */
export const en = {
  tag: 'en',
  dates: datesIn('en-US'),
  title: 'Premium finance estimate',
  problemTitle: (title: string) => `Problem: ${title}`,
  skip: 'Skip to content',
  estimate: 'This is an estimate, not a premium finance agreement and not a commitment to lend.',
  testBanner: {
    lead: 'Test quote.',
    text: 'It is only for trying things out: nobody is told and nothing is financed.',
  },
  footer: {
    questions: 'Questions? Ask your broker:',
    privacy:
      'Keep the address of this page to yourself: whoever has it can see this estimate and respond for you. This page sets no cookies.',
  },
  parties: {
    insured: 'Insured',
    agency: 'Agency',
    broker: 'Broker',
    start: 'Financing would start',
    valid: 'Valid until',
  },
  financed: { heading: 'What is financed', premium: 'Premium', taxesAndFees: 'Taxes and fees', total: 'Total' },
  terms: {
    apr: { name: 'Annual percentage rate (APR)', short: 'APR', meaning: 'The cost of your credit as a yearly rate.' },
    financeCharge: { name: 'Finance charge', meaning: 'The dollar amount the credit will cost you.' },
    amountFinanced: {
      name: 'Amount financed',
      meaning: 'The amount of credit provided to you or on your behalf.',
    },
    totalOfPayments: {
      name: 'Total of payments',
      meaning: 'What you will have paid once all monthly payments are made as scheduled.',
    },
    downPayment: { name: 'Down payment', meaning: 'What you pay yourself at the start.' },
    totalCost: { name: 'Total cost', meaning: 'The down payment and all monthly payments together.' },
    monthlyPayment: { name: 'Monthly payments', meaning: 'All payments are equal, one each month.' },
  },
  payments: (count: number) => (count === 1 ? '1 payment of' : `${count} payments of`),
  option: ({ share, count }: { share: string; count: number }) =>
    `${share} down, ${count} monthly ${count === 1 ? 'payment' : 'payments'}`,
  quote: {
    heading: 'Ways to pay for your insurance',
    lead: 'Pay part of the premium now and the rest in equal monthly payments. Choose the option that suits you; your broker is told and takes the next steps with you.',
    notAdvice: 'Recommended: a default shown first, not advice',
    chooseThis: 'Choose this option',
    compare: (count: number) => (count === 1 ? 'The one option' : `Compare all ${count} options`),
    comparing:
      'A higher down payment usually means smaller payments and a lower finance charge. More payments make each one smaller and usually raise the finance charge.',
    jump: 'Go to a down payment',
    group: ({ share, amount }: { share: string; amount: string }) => `${share} down: ${amount}`,
    monthly: 'Monthly payments',
    recommended: 'Recommended',
    review: 'Review the chosen option',
    nothingSent: 'Nothing is sent yet.',
    noChoice: 'Choose one of the options.',
  },
  chart: {
    monthlyPayment: 'Monthly payment by down payment',
    totalCost: 'Total cost by down payment',
    line: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
    reach: ({ least, most }: { least: string; most: string }) =>
      `From ${least} to ${most}. The tables below have every amount.`,
    reading: 'One line for each number of payments. The scales do not start at zero.',
    ring: 'The ring marks the recommended option.',
  },
  remarks: {
    heading: 'What this estimate takes for granted',
    lead: 'If something here is not right, tell your broker: the amounts may change.',
    TAXES_AND_FEES_NOT_PROVIDED: 'No taxes or fees were given for at least one policy, so only its premium is counted.',
    EARNED_ASSUMED: 'Some taxes or fees are taken as not refundable if a policy is canceled.',
    AUDITABLE_ASSUMED:
      'At least one policy is taken to be open to a premium audit, in which the insurer may change the premium after the term.',
    AM_BEST_UNVERIFIED:
      'The financial strength of at least one insurer could not be looked up; an AM Best rating of A- is assumed.',
    MINIMUM_EARNED_CONVERTED:
      'The part of the premium that the insurer keeps in any case was given as an amount; it is used as a percentage, rounded up.',
    VERIFY_MINIMUM_EARNED:
      'At least one coverage often lets the insurer keep more of the premium than quoted. Your broker should confirm it with the insurer.',
    other: 'Something else was assumed; your broker can tell you what.',
  },
  problems: {
    heading: 'Please check this',
    notConfirmed: 'Check the box to confirm that your broker may be told.',
    noteTooLong: ({ length, most }: { length: number; most: number }) =>
      `Your note has ${length} of ${most} characters: shorten it by ${length - most}.`,
    noteUnreadable: 'Your note holds characters that cannot be sent. Remove them or type it again.',
    formOutdated: 'This form was open for too long. Check it once more and send it again; nothing has been sent.',
    unavailable: 'Your response could not be sent just now, and nothing was stored. Try again in a moment.',
    unknownOutcome:
      'It is not certain that your response arrived. Send it again: that is safe, because it counts only once.',
  },
  review: {
    heading: 'Review your choice',
    back: 'Back to all options',
    tell: 'Tell your broker',
    note: 'Note to your broker (optional)',
    hint: (most: number) => `Up to ${most} characters.`,
    /** With # for the length so far, and ~ for what is too much. */
    counted: (most: number) => `# of ${most} characters`,
    overlong: (most: number) => `# of ${most} characters: shorten by ~`,
    confirm: ({
      broker,
      agency,
      insured,
    }: {
      broker: string;
      agency: string | null;
      insured: string | null;
    }): SentenceParts => [
      'Yes, tell ',
      { name: broker },
      ...(agency === null ? [] : [' at ', { name: agency }]),
      ' that ',
      ...(insured === null ? ['I am'] : [{ name: insured }, ' is']),
      ' interested in this option.',
    ],
    whatIsSent: 'Your broker gets an email with this option, its amounts and your note.',
    whatIsSentInTest: 'This is a test quote: your response is stored, but nobody gets an email.',
    send: 'I’m interested',
    nothingSigned: 'You are not signing or paying anything. One response can be sent for this estimate.',
  },
  interested: {
    heading: 'Your response',
    sentHeading: 'Thank you, your response was sent',
    sentBeforeHeading: 'A response was already sent',
    lead: 'This is the response that was sent for this estimate.',
    sentBefore: 'It is shown below. What you wrote now was not sent.',
    sentAnother:
      'Only one response can be sent for an estimate, and this is it. Talk to your broker if you want something else.',
    chosen: 'The chosen option',
    when: 'Sent',
    note: 'Note',
    noNote: 'None',
    next: 'What happens next',
    steps: (broker: string): readonly SentenceParts[] => [
      [{ name: broker }, ' is told of your choice by email and gets in touch with you.'],
      ['Nothing is signed or paid yet.'],
      ['To change your choice, talk to your broker.'],
    ],
    stepsInTest: ['Nobody is told, because this is a test quote.', 'Nothing is signed, paid or financed.'],
  },
  expired: {
    heading: 'This estimate has expired',
    lead: 'You can no longer respond to it. Ask your broker for a new one.',
    until: 'Was valid until',
  },
  ineligible: {
    heading: 'This insurance cannot be financed as quoted',
    lead: 'There are no payment options, because:',
    next: 'Your broker can tell you what else is possible.',
    quoted: 'What was quoted',
    reasons: {
      INSURED_STATE: 'Financing is not offered in the insured’s state.',
      PREMIUM_MIN: 'The total of premium, taxes and fees is below the smallest amount that is financed.',
      PREMIUM_MAX: 'The total of premium, taxes and fees is above the largest amount that is financed.',
      AM_BEST_MIN: 'An insurer’s AM Best financial strength rating is below what the lender requires.',
      ISSUER: 'The lender does not finance policies of one of the insurers.',
      COVERAGE: 'The lender does not finance one of the types of coverage.',
      POLICY_BACKDATE: 'A policy began too long ago.',
      DATE_UNIFORMITY: 'The policies do not all begin and end on the same days.',
      POLICY_TERM: 'A policy is too short to be financed.',
      MINIMUM_EARNED_MAX: 'Too much of the premium is kept by the insurer even if the insurance is canceled early.',
      other: 'Another condition of the lender is not met.',
    },
  },
  notices: {
    replaced: {
      heading: 'This link was replaced',
      text: 'There is a newer link to this estimate. Use the one in your broker’s latest message, or ask your broker for it.',
    },
    unknown: {
      heading: 'This page does not exist',
      text: 'Check that you have the whole link. If it still does not open, ask your broker for a new one.',
    },
    foreignForm: {
      heading: 'Your response was not accepted',
      text: 'The form does not seem to come from this site, so nothing was sent. Open the link from your broker again and respond there.',
    },
    tooMany: {
      heading: 'Too many wrong links',
      text: (minutes: number) =>
        `Too many links that do not exist were tried from your network. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    },
    tooLarge: { heading: 'Your response is too large', text: 'Nothing was sent. Go back and shorten your note.' },
    unavailable: {
      heading: 'This page cannot be shown right now',
      text: 'It should be back in a moment. Nothing is lost.',
    },
    failed: {
      heading: 'Something went wrong on our side',
      text: 'If it happens again, give your broker this number:',
    },
    kept: 'Your response was not sent. It waits on this page, so you can send it from here.',
    tryAgain: 'Try again',
    sendAgain: 'Send it again',
  },
};

export type Words = typeof en;
