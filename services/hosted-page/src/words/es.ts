import { datesIn } from './dates.ts';
import type { Words } from './en.ts';

/** The same in US Spanish, speaking to the insured as "usted". */
export const es: Words = {
  tag: 'es',
  dates: datesIn('es-US'),
  title: 'Estimación de financiamiento de primas',
  problemTitle: (title) => `Problema: ${title}`,
  skip: 'Ir al contenido',
  estimate:
    'Esta es una estimación; no es un contrato de financiamiento de primas ni un compromiso de otorgar un préstamo.',
  testBanner: {
    lead: 'Cotización de prueba.',
    text: 'Sirve solo para hacer pruebas: no se avisa a nadie y no se financia nada.',
  },
  footer: {
    questions: '¿Preguntas? Consulte a su agente:',
    privacy:
      'No comparta la dirección de esta página: quien la tenga puede ver esta estimación y responder por usted. Esta página no usa cookies.',
  },
  parties: {
    insured: 'Asegurado',
    agency: 'Agencia',
    broker: 'Agente',
    start: 'El financiamiento comenzaría',
    valid: 'Válida hasta',
  },
  financed: { heading: 'Qué se financia', premium: 'Prima', taxesAndFees: 'Impuestos y cargos', total: 'Total' },
  terms: {
    apr: {
      name: 'Tasa porcentual anual (APR)',
      short: 'APR',
      meaning: 'El costo de su crédito expresado como tasa anual.',
    },
    financeCharge: { name: 'Cargo financiero', meaning: 'La cantidad en dólares que le costará el crédito.' },
    amountFinanced: {
      name: 'Monto financiado',
      meaning: 'La cantidad de crédito que se le otorga a usted o en su nombre.',
    },
    totalOfPayments: {
      name: 'Total de pagos',
      meaning: 'Lo que habrá pagado después de hacer todos los pagos mensuales programados.',
    },
    downPayment: { name: 'Pago inicial', meaning: 'Lo que usted paga por su cuenta al comienzo.' },
    totalCost: { name: 'Costo total', meaning: 'El pago inicial más todos los pagos mensuales.' },
    monthlyPayment: { name: 'Pagos mensuales', meaning: 'Todos los pagos son iguales, uno cada mes.' },
  },
  payments: (count) => (count === 1 ? '1 pago de' : `${count} pagos de`),
  option: ({ share, count }) =>
    `${share} de pago inicial y ${count} ${count === 1 ? 'pago mensual' : 'pagos mensuales'}`,
  quote: {
    heading: 'Formas de pagar su seguro',
    lead: 'Pague una parte de la prima ahora y el resto en pagos mensuales iguales. Elija la opción que le convenga; su agente recibirá el aviso y dará con usted los siguientes pasos.',
    notAdvice: 'Recomendada: se muestra primero de forma predeterminada; no es un consejo',
    chooseThis: 'Elegir esta opción',
    compare: (count) => (count === 1 ? 'La única opción' : `Compare las ${count} opciones`),
    comparing:
      'Un pago inicial más alto suele significar pagos más pequeños y un cargo financiero menor. Con más pagos, cada uno es más pequeño, pero el cargo financiero suele ser mayor.',
    jump: 'Ir a un pago inicial',
    group: ({ share, amount }) => `${share} de pago inicial: ${amount}`,
    monthly: 'Pagos mensuales',
    recommended: 'Recomendada',
    review: 'Revisar la opción elegida',
    nothingSent: 'Todavía no se envía nada.',
    noChoice: 'Elija una de las opciones.',
  },
  chart: {
    monthlyPayment: 'Pago mensual según el pago inicial',
    totalCost: 'Costo total según el pago inicial',
    line: (count) => (count === 1 ? '1 pago' : `${count} pagos`),
    reach: ({ least, most }) => `De ${least} a ${most}. Todos los montos están en las tablas siguientes.`,
    reading: 'Una línea por cada número de pagos. Las escalas no comienzan en cero.',
    ring: 'El anillo señala la opción recomendada.',
  },
  remarks: {
    heading: 'Qué da por supuesto esta estimación',
    lead: 'Si algo de esto no es correcto, dígaselo a su agente: los montos pueden cambiar.',
    TAXES_AND_FEES_NOT_PROVIDED:
      'No se indicaron impuestos ni cargos para al menos una póliza, por lo que solo se cuenta su prima.',
    EARNED_ASSUMED: 'Se supone que algunos impuestos o cargos no se reembolsan si se cancela una póliza.',
    AUDITABLE_ASSUMED:
      'Se supone que al menos una póliza está sujeta a una auditoría de prima, con la que la aseguradora puede cambiar la prima al final del período.',
    AM_BEST_UNVERIFIED:
      'No se pudo consultar la solidez financiera de al menos una aseguradora; se supone una calificación A- de AM Best.',
    MINIMUM_EARNED_CONVERTED:
      'La parte de la prima que la aseguradora conserva en todo caso se indicó como monto; se usa como porcentaje, redondeado hacia arriba.',
    VERIFY_MINIMUM_EARNED:
      'Al menos una cobertura suele permitir que la aseguradora conserve una parte de la prima mayor que la cotizada. Su agente debe confirmarlo con la aseguradora.',
    other: 'Se supuso algo más; su agente puede decirle qué.',
  },
  problems: {
    heading: 'Revise lo siguiente',
    notConfirmed: 'Marque la casilla para confirmar que se puede avisar a su agente.',
    noteTooLong: ({ length, most }) => `Su nota tiene ${length} de ${most} caracteres: acórtela en ${length - most}.`,
    noteUnreadable: 'Su nota contiene caracteres que no se pueden enviar. Quítelos o escríbala de nuevo.',
    formOutdated:
      'Este formulario estuvo abierto demasiado tiempo. Revíselo una vez más y vuelva a enviarlo; no se ha enviado nada.',
    unavailable:
      'Su respuesta no se pudo enviar en este momento y no se guardó nada. Inténtelo de nuevo en un momento.',
    unknownOutcome:
      'No es seguro que su respuesta haya llegado. Envíela de nuevo: no hay riesgo, porque cuenta una sola vez.',
  },
  review: {
    heading: 'Revise su elección',
    back: 'Volver a todas las opciones',
    tell: 'Avise a su agente',
    note: 'Nota para su agente (opcional)',
    hint: (most) => `Hasta ${most} caracteres.`,
    counted: (most) => `# de ${most} caracteres`,
    overlong: (most) => `# de ${most} caracteres: acórtela en ~`,
    confirm: ({ broker, agency, insured }) => [
      'Sí, informe a ',
      { name: broker },
      ...(agency === null ? [] : [', de ', { name: agency }, ',']),
      ' de que ',
      ...(insured === null ? ['me interesa'] : ['a ', { name: insured }, ' le interesa']),
      ' esta opción.',
    ],
    whatIsSent: 'Su agente recibe un correo electrónico con esta opción, sus montos y su nota.',
    whatIsSentInTest:
      'Esta es una cotización de prueba: su respuesta se guarda, pero nadie recibe un correo electrónico.',
    send: 'Me interesa',
    nothingSigned: 'Con esto usted no firma ni paga nada. Se puede enviar una sola respuesta para esta estimación.',
  },
  interested: {
    heading: 'Su respuesta',
    sentHeading: 'Gracias, su respuesta fue enviada',
    sentBeforeHeading: 'Ya se había enviado una respuesta',
    lead: 'Esta es la respuesta que se envió para esta estimación.',
    sentBefore: 'Se muestra abajo. Lo que usted escribió ahora no se envió.',
    sentAnother:
      'Solo se puede enviar una respuesta por estimación, y es esta. Hable con su agente si desea otra opción.',
    chosen: 'La opción elegida',
    when: 'Enviada',
    note: 'Nota',
    noNote: 'Ninguna',
    next: 'Qué sigue ahora',
    steps: (broker) => [
      [{ name: broker }, ' recibe un correo electrónico con su elección y se comunicará con usted.'],
      ['Todavía no se firma ni se paga nada.'],
      ['Para cambiar su elección, hable con su agente.'],
    ],
    stepsInTest: [
      'No se avisa a nadie, porque esta es una cotización de prueba.',
      'No se firma, se paga ni se financia nada.',
    ],
  },
  expired: {
    heading: 'Esta estimación venció',
    lead: 'Ya no se puede responder. Pida una nueva a su agente.',
    until: 'Fue válida hasta',
  },
  ineligible: {
    heading: 'Este seguro no se puede financiar tal como se cotizó',
    lead: 'No hay opciones de pago por lo siguiente:',
    next: 'Su agente puede decirle qué otras posibilidades hay.',
    quoted: 'Qué se cotizó',
    reasons: {
      INSURED_STATE: 'No se ofrece financiamiento en el estado del asegurado.',
      PREMIUM_MIN: 'El total de prima, impuestos y cargos es menor que el monto mínimo que se financia.',
      PREMIUM_MAX: 'El total de prima, impuestos y cargos es mayor que el monto máximo que se financia.',
      AM_BEST_MIN:
        'La calificación de solidez financiera de AM Best de una aseguradora es inferior a la que exige el prestamista.',
      ISSUER: 'El prestamista no financia pólizas de una de las aseguradoras.',
      COVERAGE: 'El prestamista no financia uno de los tipos de cobertura.',
      POLICY_BACKDATE: 'Una póliza comenzó hace demasiado tiempo.',
      DATE_UNIFORMITY: 'No todas las pólizas comienzan y terminan en las mismas fechas.',
      POLICY_TERM: 'Una póliza es demasiado corta para financiarse.',
      MINIMUM_EARNED_MAX:
        'La aseguradora conserva una parte demasiado grande de la prima aunque el seguro se cancele pronto.',
      other: 'No se cumple otra condición del prestamista.',
    },
  },
  notices: {
    replaced: {
      heading: 'Este enlace fue reemplazado',
      text: 'Hay un enlace más nuevo a esta estimación. Use el del último mensaje de su agente o pídaselo.',
    },
    unknown: {
      heading: 'Esta página no existe',
      text: 'Compruebe que tiene el enlace completo. Si aun así no se abre, pida uno nuevo a su agente.',
    },
    foreignForm: {
      heading: 'No se aceptó su respuesta',
      text: 'El formulario no parece venir de este sitio, así que no se envió nada. Abra de nuevo el enlace de su agente y responda allí.',
    },
    tooMany: {
      heading: 'Demasiados enlaces incorrectos',
      text: (minutes) =>
        `Se probaron demasiados enlaces inexistentes desde su red. Inténtelo de nuevo en ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
    },
    tooLarge: {
      heading: 'Su respuesta es demasiado larga',
      text: 'No se envió nada. Vuelva atrás y acorte su nota.',
    },
    unavailable: {
      heading: 'Esta página no se puede mostrar en este momento',
      text: 'Debería estar disponible en un momento. No se pierde nada.',
    },
    failed: {
      heading: 'Algo salió mal de nuestra parte',
      text: 'Si vuelve a ocurrir, dé este número a su agente:',
    },
    kept: 'Su respuesta no se envió. Espera en esta página, desde donde puede enviarla.',
    tryAgain: 'Intentar de nuevo',
    sendAgain: 'Enviarla de nuevo',
  },
};
