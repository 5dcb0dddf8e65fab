// The rows of one table and model as energies, for passes over `vertex`.
//
// What stands for a table has the same functions: of row and corner `force_of` [N] and `product_of`, the second
// derivative of the energy times a change of the corners [N], `corners_of`, and `block_of`, what Jacobi iterations may
// not outrun [N/m].

#import <constraints/elastic_row.wgsl>
#import <constraints/incident.wgsl>
#ifdef triangle
#import <constraints/elastic_triangle.wgsl>
#endif
#ifdef hinge
#import <constraints/elastic_hinge.wgsl>
#endif
#ifdef tether
#import <constraints/elastic_tether.wgsl>
#endif
#ifdef attachment
#import <constraints/elastic_attachment.wgsl>
#endif
