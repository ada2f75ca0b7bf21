{{/* What is wrong with names, labels and certificates among the values, as a list of lines that say what to set. */}}
{{- define "pfq.problemsOfNames" -}}
{{- $root := . }}
{{- $values := .Values }}
{{- $problems := list }}

{{- $fullname := include "pfq.fullname" . }}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $fullname) }}
{{- $problems = append $problems (printf "names of Services cannot begin with %q: a letter, then letters, digits and hyphens. Name the release so, or set fullnameOverride" $fullname) }}
{{- end }}
{{- if hasSuffix "-migrate" $fullname }}
{{- $problems = append $problems (printf "names cannot begin with %q: migrations of a release %s in this namespace would take such objects away. Name the release otherwise, or set fullnameOverride" $fullname (trimSuffix "-migrate" $fullname)) }}
{{- end }}
{{- if and $values.image.tag $values.image.digest }}
{{- $problems = append $problems "image.tag is set beside image.digest, which alone would count: upgrade to the chart of the release that you want, or set image.digest to '' as well" }}
{{- end }}

{{- $ownLabels := append (include "pfq.podLabels" (list . "any") | fromYaml | keys) "pod-template-hash" }}
{{- range prepend (include "pfq.services" . | fromYaml | keys | sortAlpha) "defaults" }}
{{- $block := camelcase . | untitle }}
{{- range $label, $_ := get (get $values $block) "podLabels" | default dict }}
{{- if has $label $ownLabels }}
{{- $problems = append $problems (printf "%s.podLabels must not set %s, which the chart sets" $block $label) }}
{{- end }}
{{- end }}
{{- if hasKey (get (get $values $block) "podAnnotations" | default dict) "checksum/variables" }}
{{- $problems = append $problems (printf "%s.podAnnotations must not set checksum/variables, which the chart sets" $block) }}
{{- end }}
{{- end }}
{{- range $block := list "serviceMonitor" "prometheusRule" "dashboards" }}
{{- range $label, $_ := (get $values $block).labels }}
{{- if hasKey (include "pfq.labels" $root | fromYaml) $label }}
{{- $problems = append $problems (printf "%s.labels must not set %s, which the chart sets" $block $label) }}
{{- end }}
{{- end }}
{{- end }}

{{- $tls := $values.mutualTls }}
{{- if and $tls.issuerRef (not $tls.issuerRef.name) }}
{{- $problems = append $problems "mutualTls.issuerRef needs a name; without any of its members the chart makes an issuer" }}
{{- end }}
{{- if and $tls.authorities.configMap $tls.authorities.secret }}
{{- $problems = append $problems "mutualTls.authorities.secret and mutualTls.authorities.configMap are both set: keep one" }}
{{- end }}
{{- if and (or $tls.authorities.configMap $tls.authorities.secret) (not $tls.enabled) }}
{{- $problems = append $problems "mutualTls.authorities is for mutualTls.enabled, which is not set" }}
{{- end }}
{{- $good := include "pfq.seconds" $tls.duration | int }}
{{- $before := include "pfq.seconds" $tls.renewBefore | int }}
{{- if ge $before $good }}
{{- $problems = append $problems (printf "mutualTls.renewBefore, %s, must be less than mutualTls.duration, %s: a third of it is usual" $tls.renewBefore $tls.duration) }}
{{- end }}
{{- if or (lt $good 3600) (lt $before 300) }}
{{- $problems = append $problems "cert-manager takes no mutualTls.duration of less than 1h, and no mutualTls.renewBefore of less than 5m" }}
{{- end }}
{{- toYaml $problems }}
{{- end }}

{{/* Of a duration such as 1h30m. */}}
{{- define "pfq.seconds" -}}
{{- $seconds := 0 -}}
{{- range regexFindAll "[0-9]+[hms]" . -1 -}}
{{- $seconds = add $seconds (mul (regexFind "^[0-9]+" .) (get (dict "h" 3600 "m" 60 "s" 1) (regexFind "[hms]$" .))) -}}
{{- end -}}
{{- $seconds -}}
{{- end }}
