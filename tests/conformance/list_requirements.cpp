// The list of requirements, a line each: id, statement, enforced by, why no case shows it.
#include <cstdio>
#include <string>

#include "dialect/sonnx/requirements.hpp"

int main() {
  for (const hadamard::dialect::Requirement& r : hadamard::dialect::requirements()) {
    std::printf("%s\t%s\t%s\t%s\n", std::string(r.id).c_str(), std::string(r.statement).c_str(),
                std::string(r.enforced).c_str(), std::string(r.no_case).c_str());
  }
}
